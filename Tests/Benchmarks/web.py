"""The web server of a run, on a free port of loopback."""

import contextlib
import functools
import http.server
import os
import shutil
import socket
import subprocess
import threading
import time

NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;
events {{}}
http {{
  access_log off; sendfile on; keepalive_requests 1000000;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
  uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  server {{
    listen 127.0.0.1:{port}; root {folder}/www; default_type application/json;
    location = /token {{ return 200 '{token}'; }}
  }}
}}
"""


# What its token endpoint answers.
TOKEN = '{"access_token": "t0k3n-t0k3n", "token_type": "Bearer", "expires_in": 3600}'


def program():
    """nginx, if it is installed: Debian has it where only the administrator's PATH looks."""
    return shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")


def publish(folder):
    """Makes what is asked for."""
    (folder / "www").mkdir()
    (folder / "www/small.json").write_text('{"id": 1, "name": "Ada", "roles": ["admin"]}\n')


def serve(folder):
    """The web server as a context whose value is its address."""
    return nginx(folder) if program() else fallback(folder)


@contextlib.contextmanager
def nginx(folder):
    """A web server on a free port of loopback."""
    publish(folder)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port, token=TOKEN))
    process = subprocess.Popen([program(), "-c", str(folder / "nginx.conf"), "-p", str(folder)])
    try:
        # As long as anything may take that has to come.
        for _ in range(1_200):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


@contextlib.contextmanager
def fallback(folder):
    """Python's server where nginx is missing: slower, so that the ratios are milder."""
    publish(folder)

    class Handler(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_POST(self):
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(TOKEN)))
            self.end_headers()
            self.wfile.write(TOKEN.encode())

    handler = functools.partial(Handler, directory=str(folder / "www"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
