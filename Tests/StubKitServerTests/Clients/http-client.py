import http.client
c = http.client.HTTPConnection("127.0.0.1", PORT)
for _ in range(3):
    c.request("GET", "/chunks"); print(c.getresponse().read().decode())
c.request("POST", "/", body=iter([b"ab", b"cd"]), encode_chunked=True, headers={"Transfer-Encoding": "chunked"})
print(c.getresponse().read().decode())
c.request("HEAD", "/chunks"); r = c.getresponse(); print(r.status, len(r.read()))
c.request("GET", "/unknown"); r = c.getresponse(); print(r.status, r.getheader("StubKit-Unmatched"))
