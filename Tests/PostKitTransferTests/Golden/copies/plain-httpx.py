# httpx limits each wait, not the whole transfer.
import httpx

headers = [
    (b"Content-Type", b"application/json"),
    (b"User-Agent", b"p"),
    (b"X-Price", b"$5 {x}"),
    (b"Accept-Encoding", b"gzip, deflate"),
]
body = b"""{
  "a": "it's"
}"""
request = httpx.Request("POST", "https://h.example/orders?a=1", headers=headers, content=body)
with httpx.Client(timeout=2.500) as client:
    response = client.send(request)
    print(response.text)
