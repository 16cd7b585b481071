"""A page in headless Chromium that a test uses as a reader does: mouse, keys, downloads, dark mode.

Speaks the DevTools protocol over two pipes, so it needs nothing but Python.
"""

import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import time

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PATIENCE = 60  # seconds

KEYS = {" ": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
        "ArrowDown": 40, "Delete": 46, "Escape": 27, "Tab": 9, "Enter": 13}


class BrowserError(Exception):
    """What Chromium, or a script of the page, answers with an error."""


class Browser:
    """One window; `folder` holds its profile and what it saves."""

    def __init__(self, folder, width=1200, height=900, media=()):
        self.downloads = pathlib.Path(folder) / "downloads"
        self.downloads.mkdir(parents=True, exist_ok=True)
        to_read, self.to = os.pipe()
        self.answers, to_write = os.pipe()
        # Chromium reads from 3 and writes to 4; copies beyond these cannot be overwritten on the way.
        high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10) for descriptor in (to_read, to_write)]

        def connect():
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             "--user-data-dir=" + str(pathlib.Path(folder) / "profile"), "about:blank"],
            close_fds=False, preexec_fn=connect, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for descriptor in (to_read, to_write, *high):
            os.close(descriptor)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime"):
            self.send(domain + ".enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", features=[{"name": name, "value": value} for name, value in media])
        self.send("Emulation.setFocusEmulationEnabled", enabled=True)
        self.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))

    def is_open(self):
        return self.process.returncode is None

    def close(self):
        if not self.is_open():
            return
        try:
            self.send("Browser.close")
            self.process.wait(PATIENCE)  # it still writes to its profile
        finally:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.answers)

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session and not method.startswith("Browser."):
            message["sessionId"] = self.session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.to, text):]
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError(method + ": " + answer["error"]["message"])
                return answer["result"]
            self.events.append(answer)

    def receive(self):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.answers], [], [], PATIENCE)
            piece = os.read(self.answers, 1 << 20) if ready else b""
            if not piece:
                raise BrowserError("Chromium does not answer")
            self.buffer += piece
        text, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(text)

    def open(self, file):
        self.send("Page.navigate", url=file.as_uri())
        self.wait("document.readyState === 'complete' && document.querySelector('#blocks').children.length > 0")

    def complaints(self):
        """What the page has thrown or written on its console as a mistake."""
        self.value("0")
        return [event["params"] for event in self.events if event.get("method") == "Runtime.exceptionThrown" or
                (event.get("method") == "Runtime.consoleAPICalled" and event["params"]["type"] == "error")]

    def value(self, expression):
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(expression + ": " + json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait(self, condition):
        """Until an expression holds; returns its value."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                if found := self.value(condition):
                    return found
            except BrowserError:
                pass  # the page is being loaded
            if time.monotonic() > deadline:
                raise BrowserError("never holds: " + condition)
            time.sleep(0.05)

    def mouse(self, kind, x, y, pressed=False):
        """kind: Moved, Pressed, Released."""
        button = "left" if kind != "Moved" or pressed else "none"
        self.send("Input.dispatchMouseEvent", type="mouse" + kind, x=x, y=y, button=button, clickCount=int(kind != "Moved"),
                  buttons=int(pressed))

    def drag(self, places):
        self.mouse("Moved", *places[0])
        self.mouse("Pressed", *places[0], pressed=True)
        for place in places[1:]:
            self.mouse("Moved", *place, pressed=True)
        self.mouse("Released", *places[-1])

    def key(self, name, shift=False):
        code = {"key": name, "code": "Space" if name == " " else name, "windowsVirtualKeyCode": KEYS[name], "modifiers": 8 if shift else 0}
        text = {"text": "\r"} if name == "Enter" else {"text": " "} if name == " " else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", **code, **text)
        self.send("Input.dispatchKeyEvent", type="keyUp", **code)

    def screenshot(self, file, whole=False):
        answer = self.send("Page.captureScreenshot", captureBeyondViewport=whole)
        pathlib.Path(file).write_bytes(base64.b64decode(answer["data"]))

    def saved(self, ending):
        """The content of the one file with that ending that the page has saved; takes it away."""
        deadline = time.monotonic() + PATIENCE
        while True:
            files = [file for file in self.downloads.iterdir() if file.name.endswith(ending)]
            if files and files[0].stat().st_size > 0:
                content = files[0].read_bytes()
                files[0].unlink()
                return content
            if time.monotonic() > deadline:
                raise BrowserError("nothing was saved that ends in " + ending)
            time.sleep(0.05)
