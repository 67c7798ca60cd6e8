//===- SchemaCheck.cpp ----------------------------------------------------===//
#include "link/SchemaCheck.h"
#include <cstdio>

namespace xlink::test {

void SchemaCheck::add(const std::string &name, const std::string &text) {
  directory.write(name, text);
  names.push_back(name);
}

std::string SchemaCheck::run() {
  std::string command = "cd '" + directory.path("") + "' && python3 '" +
                        XLINK_SOURCE_DIR "/tools/check-schemas' --strict";
  for (const std::string &name : names)
    command += " '" + name + "'";
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  std::string text;
  char buffer[4096];
  while (size_t size = fread(buffer, 1, sizeof buffer, pipe))
    text.append(buffer, size);
  const int status = pclose(pipe);
  if ((status == 0) != text.empty())
    text += "status " + std::to_string(status) + "\n";
  return text;
}

} // namespace xlink::test
