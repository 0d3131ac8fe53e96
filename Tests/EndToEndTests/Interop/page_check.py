"""Opens the page of a shared trip in headless Chromium, with the screen sizes of phones and computers. Prints each step that succeeds.

The script controls the browser over pipes with the DevTools protocol. The browser's requests go through a small proxy, which the script can stop.
"""
import base64, json, os, select, shutil, socket, subprocess, sys, tempfile, threading, time
from urllib.parse import urlsplit


class Proxy:
    def __init__(self, target):
        self.target, self.open = target, []
        self.start(0)

    def start(self, port):
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", port))
        self.listener.listen(64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def accept(self, listener):
        while True:
            try:
                caller, _ = listener.accept()
            except OSError:
                return
            server = socket.create_connection(self.target)
            self.open += [caller, server]
            for one, other in ((caller, server), (server, caller)):
                threading.Thread(target=self.carry, args=(one, other), daemon=True).start()

    def carry(self, one, other):
        try:
            while data := one.recv(65536):
                other.sendall(data)
        except OSError:
            pass
        for end in (one, other):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def stop(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for end in self.open:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.open = []


class Browser:
    def __init__(self):
        self.folder = tempfile.mkdtemp()
        (self.read, theirs_out), (theirs_in, self.write) = os.pipe(), os.pipe()

        def ends():
            high = os.dup2(theirs_in, 100), os.dup2(theirs_out, 101)
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        path = shutil.which("chromium") or shutil.which("chromium-browser")
        self.process = subprocess.Popen(
            [path, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--user-data-dir=" + self.folder,
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=ends, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.rest, self.number, self.told, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Accessibility"):
            self.call(domain + ".enable")

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            while b"\0" in self.rest:
                text, self.rest = self.rest.split(b"\0", 1)
                answer = json.loads(text)
                if answer.get("id") == self.number:
                    return answer.get("result", {})
                self.told.append(answer)
            if select.select([self.read], [], [], 1)[0]:
                self.rest += os.read(self.read, 1 << 20)
        raise TimeoutError(method)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)

    def value(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def wait(self, step, expression):
        # The browser checks the expression before each frame. If another page is opened meanwhile, the check never answers.
        look = f"new Promise(done => {{ const look = () => ({expression}) ? done(true) : requestAnimationFrame(look); look(); }})"
        deadline = time.monotonic() + 100
        while time.monotonic() < deadline:
            told = self.call("Runtime.evaluate", expression=look, awaitPromise=True, returnByValue=True)
            if told.get("result", {}).get("value"):
                print(step, flush=True)
                return
        print("not", step.upper(), self.value("document.body.innerText"), flush=True)
        sys.exit(1)

    def picture(self, name):
        folder = os.environ.get("PAGE_PICTURES")
        if folder:
            data = self.call("Page.captureScreenshot", format="png")["data"]
            with open(os.path.join(folder, name + ".png"), "wb") as file:
                file.write(base64.b64decode(data))

    def names(self):
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return {(node["role"]["value"], node["name"]["value"]) for node in nodes if node.get("name", {}).get("value")}

    def problems(self):
        return [told["params"] for told in self.told if told["method"] == "Runtime.exceptionThrown"
                or told["method"] == "Log.entryAdded" and told["params"]["entry"]["source"] == "security"]

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    link = urlsplit(sys.argv[1])
    proxy, browser = Proxy((link.hostname, link.port)), Browser()
    try:
        browser.size(390, 844)
        browser.call("Page.navigate", url=f"http://127.0.0.1:{proxy.port}{link.path}")
        picture = "document.querySelector('#map img')?.src"
        browser.wait("shown", f"{picture}?.startsWith('blob:') && !!document.querySelector('.big')")
        sizes = browser.value("[...document.querySelectorAll('body *')].map(e => parseFloat(getComputedStyle(e).fontSize))")
        assert browser.value("parseFloat(getComputedStyle(document.querySelector('.big')).fontSize)") == max(sizes)
        assert browser.value("document.documentElement.scrollWidth") == 390
        first = browser.value(picture)
        browser.wait("moved", f"{picture} !== {json.dumps(first)}")
        browser.picture("phone")
        names = browser.names()
        assert {"heading", "image"} <= {role for role, _ in names}, names
        assert any("way" in name for _, name in names), names
        print("read aloud", flush=True)
        proxy.stop()
        browser.wait("gone", "document.getElementById('gone').innerText.startsWith('Connection lost.')")
        browser.picture("gone")
        proxy.start(proxy.port)
        browser.wait("back", "document.getElementById('gone').hidden")
        browser.size(1280, 800)
        left, right = ("document.getElementById('%s').getBoundingClientRect()" % name for name in ("map", "hero"))
        browser.wait("wide", f"{left}.right < {right}.left")
        browser.picture("wide")
        browser.wait("ended", "document.body.innerText.includes('This link no longer works.')")
        browser.picture("ended")
        assert not browser.problems(), browser.problems()
    finally:
        browser.close()


if __name__ == "__main__":
    main()
