# A reader of news. It knows nothing of StubKit, and prints what its user sees.
import http.client, json, os, sys, urllib.parse
base = urllib.parse.urlsplit(os.environ["NEWS_URL"])
token = None

def load(method, path, body=None):
    for attempt in range(3):
        connection = http.client.HTTPConnection(base.hostname, base.port, timeout=3600)
        try:
            headers = {"Authorization": "Bearer " + token} if token else {}
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response, response.read()
        except (http.client.HTTPException, OSError) as error:
            print("trying again after", type(error).__name__)
    sys.exit("gave up")

response, _ = load("GET", "/news")
print("news:", response.status)
response, body = load("POST", "/login", json.dumps({"user": "ann"}))
token = json.loads(body)["token"]
path = "/news"
while path:
    response, body = load("GET", path)
    for title in json.loads(body): print("*", title)
    link = response.getheader("Link")
    path = link and link[1:link.index(">")].split(base.netloc)[1]
