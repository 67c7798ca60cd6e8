"""A headless Chromium as a thing to be asked: by its debugging protocol through two pipes,
which needs neither a port nor a library."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# Keys by what the page sees: the code of the key, its number, its text.
KEYS = {"Enter": (13, "\r"), "Escape": (27, ""), "Tab": (9, ""), "Home": (36, ""), "End": (35, ""),
        "ArrowLeft": (37, ""), "ArrowUp": (38, ""), "ArrowRight": (39, ""), "ArrowDown": (40, ""),
        "Backspace": (8, ""), " ": (32, " ")}


def find():
    """The path of a browser, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class BrowserError(Exception):
    pass


class Browser:
    """One process with one page. `problems`: what its console said of errors; `requests`: the
    addresses that it asked for."""

    def __init__(self, path, patience=120):
        self.patience = patience
        self.home = tempfile.TemporaryDirectory(prefix="xlink-browser-")
        read_end, self.write = os.pipe()
        self.read, write_end = os.pipe()

        def connect():
            # First out of the way: one of them may be 3 or 4.
            ours = os.dup2(read_end, 103), os.dup2(write_end, 104)
            os.dup2(ours[0], 3)
            os.dup2(ours[1], 4)

        arguments = [path, "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars",
                     "--no-first-run", "--disable-extensions", "--disable-dev-shm-usage",
                     "--disable-background-networking", f"--user-data-dir={self.home.name}"]
        if os.getuid() == 0:
            arguments.append("--no-sandbox")
        self.process = subprocess.Popen(arguments + ["about:blank"], preexec_fn=connect, close_fds=False,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_end)
        os.close(write_end)
        self.buffer, self.number, self.session = b"", 0, None
        self.problems, self.requests, self.loaded = [], [], False
        page = next(target for target in self.call("Target.getTargets")["targetInfos"] if target["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.read)
        os.close(self.write)
        for _ in range(20):  # its helpers may still be writing
            try:
                self.home.cleanup()
                return
            except OSError:
                time.sleep(0.2)

    def receive(self, until):
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.read], [], [], left)[0]:
                raise BrowserError("the browser does not answer")
            data = os.read(self.read, 1 << 20)
            if not data:
                raise BrowserError("the browser has ended")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def notice(self, message):
        method, said = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = said["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and said["type"] in ("error", "warning", "assert"):
            self.problems.append(" ".join(str(each.get("value", each.get("description"))) for each in said["args"]))
        elif method == "Log.entryAdded" and said["entry"]["level"] in ("error", "warning"):
            self.problems.append(said["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write, data):]
        until = time.monotonic() + self.patience
        while True:
            answer = self.receive(until)
            if answer.get("id") != self.number:
                self.notice(answer)
            elif "error" in answer:
                raise BrowserError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def open(self, address):
        """Loads a page; returns the seconds until it had drawn itself."""
        self.loaded = False
        begin = time.monotonic()
        self.call("Page.navigate", url=address)
        while not self.loaded:
            self.notice(self.receive(begin + self.patience))
        self.frame()
        return time.monotonic() - begin

    def frame(self):
        """Waits until what was asked for has been drawn."""
        self.value("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")

    def value(self, expression):
        """What JavaScript makes of an expression; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{expression}: {answer['exceptionDetails'].get('exception', {}).get('description')}")
        return answer["result"].get("value")

    def press(self, name):
        code, text = KEYS.get(name, (ord(name[0].upper()), name))
        common = {"key": name, "code": name, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def key(self, *names):
        """Presses keys, one after the other, and waits until the page has drawn what they do."""
        for name in names:
            self.press(name)
        self.frame()

    def type(self, text):
        self.key(*text)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.frame()

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        self.frame()

    def theme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])
        self.frame()

    def picture(self, path, scale=1, whole=False):
        clip = {}
        if whole or scale != 1:
            metrics = self.call("Page.getLayoutMetrics")["cssContentSize" if whole else "cssLayoutViewport"]
            clip = {"clip": {"x": 0, "y": 0, "width": metrics.get("width", metrics.get("clientWidth")),
                             "height": metrics.get("height", metrics.get("clientHeight")), "scale": scale}}
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **clip)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))
