# httpx speaks HTTP/1.1; the request asks for HTTP/3.
# httpx can't ask for the target `*`; it asks for that of the URL.
# httpx does not support NTLM authentication; it is left out.
# httpx follows a redirect of a POST with GET; the request keeps its method.
# httpx may write the target of https://h/a/../b?c={d} differently.
from pathlib import Path

import httpx

headers = [
    (b"Host", b"other"),
    (b"x-a", b"1"),
    (b"X-A", b"2"),
    (b"Accept-Encoding", b"gzip, deflate"),
]
body = b"\xff\x00" + Path("/f.bin").read_bytes()
request = httpx.Request("PURGE", "https://h/a/../b?c={d}", headers=headers, content=iter([body]))
with httpx.Client(follow_redirects=True, max_redirects=3, timeout=httpx.Timeout(None, connect=0.100), verify=False, cert=("/c.pem", "/c.pem", "x"), proxy="http://p:8080") as client:
    response = client.send(request)
    print(response.text)
