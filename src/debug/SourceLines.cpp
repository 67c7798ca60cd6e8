#include "debug/SourceLines.h"
