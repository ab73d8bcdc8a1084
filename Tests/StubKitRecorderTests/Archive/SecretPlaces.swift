import Foundation

/// A text with two secrets below names that mean one, whose form is what differs. What else it says stays.
struct SecretPlace: CustomStringConvertible, Sendable {
  let name: String
  var type = "text/plain"
  let text: String
  /// Values that are no secrets.
  var ordinary = ["bob"]

  var description: String { name }

  static let secrets = ["x9-zk2q7", "k3Kd8sJq2L"]
  private static let (s, t) = (secrets[0], secrets[1])
  private static let json = #"{"user":"bob","secret":{"value":"\#(s)"},"tokens":["\#(t)"]}"#

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
  private static func percent(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
  }
  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n"))\""
  }
  private static func entities(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("\"", with: "&#34;").replacing("<", with: "&lt;")
  }
  private static func lines(_ text: String, _ width: Int) -> String {
    let all = Array(text.utf8)
    let starts = stride(from: 0, to: all.count, by: width)
    return starts.map { String(decoding: all[$0..<min($0 + width, all.count)], as: UTF8.self) }.joined(separator: "\n")
  }
  private static func hexadecimal(_ text: String) -> String {
    text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
  private static func utf16(_ text: String) -> String {
    Data(text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }).base64EncodedString()
  }

  private static func pairs(_ text: String, _ separator: String) -> String {
    text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: separator)
  }

  private static func place(_ name: String, _ type: String, _ text: String, _ ordinary: String...) -> SecretPlace {
    SecretPlace(name: name, type: type, text: text, ordinary: ordinary.isEmpty ? ["bob"] : ordinary)
  }

  static let all: [SecretPlace] =
    javaScript + documents + configurations + markup + messages + dumps + tables + encodings + commands + programs
    + services + terminals + signs + wrappings

  private static let javaScript = [
    place(
      "JSON with comments", "application/json",
      "{ // it's of \"bob\"\n \"secret\": {/* { */ \"value\": \"\(s)\"},\n \"tokens\": [\n # one\n \"\(t)\" ] }"),
    place("JSON in one call", "application/javascript", "/**/ typeof done === 'function' && done(\(json));"),
    place("a guard against inclusion", "application/json", "for(;;);\(json)"),
    place("another guard", "application/json", "&&&START&&&\(json)"),
    place("texts in a row", "application/json", #"{"user":"bob"}{"secret":{"value":"\#(s)"}}{"tokens":["\#(t)"]}"#),
    place("texts with separators", "application/json-seq", "\u{1E}{\"user\":\"bob\"}\n\u{1E}\(json)\n"),
    place(
      "lines with a date before them", "text/plain",
      "2026-03-01T12:30:00Z stdout F \(json)\n2026-03-01T12:30:01Z stdout F {\"user\":\"eve\"}\n", "bob", "eve",
      "2026-03-01T12:30:01Z"),
    place(
      "JSON cut off in a text", "application/json",
      #"{"user":"bob","secret":{"value":"\#(s)"},"tokens":["\#(t)","Lorem ips"#, "bob", "Lorem ips"),
    place("single quotation marks", "text/plain", "{'user': 'bob', 'secret': {'value': '\(s)'}, 'tokens': ['\(t)']}"),
    place("a state of a page", "text/html", "<html><script>window.__STATE__ = \(json);</script><p>bob</p></html>"),
    place("a text that is parsed", "text/html", "<script>var state = JSON.parse(\(quoted(json)));</script>"),
    place(
      "a text with other escapes", "text/html",
      "<script>s = JSON.parse('\(json.replacing("\"", with: "\\x22"))')</script>"),
    place(
      "pieces of a page", "text/html",
      "<script>self.__next_f.push([1,\(quoted("5:[\"$\",{\"props\":\(json)}]\n"))])</script>"),
    place(
      "names without quotation marks", "application/javascript",
      "export default { user: 'bob', secret: { value: '\(s)' }, tokens: ['\(t)'] };"),
    place(
      "a template", "application/javascript", "const c = { user: `bob`, secret: { value: `\(s)` }, tokens: [`\(t)`] }"),
    place(
      "assignments to members", "application/javascript",
      "c.user = \"bob\"; c[\"secret\"][\"value\"] = \"\(s)\"; c.tokens = [\"\(t)\"];"),
    place("a frame of socket.io", "text/plain", "42[\"login\",\(json)]"),
    place("a frame of SockJS", "text/plain", "a[\(quoted(json))]"),
    place(
      "a map of ES6", "application/javascript",
      "new Map([[\"user\", \"bob\"], [\"password\", \"\(s)\"], [\"token\", \"\(t)\"]])"),
  ]

  private static let documents = [
    place(
      "columns beside rows", "application/json",
      #"{"columns":["user","password","token"],"rows":[["bob","\#(s)","\#(t)"]]}"#),
    place(
      "fields beside values", "application/json",
      #"{"fields":["user","password"],"values":[["bob","\#(s)"],["eve","\#(t)"]]}"#, "bob", "eve"),
    place("a list of pairs", "application/json", #"[["user","bob"],["password","\#(s)"],["api_key","\#(t)"]]"#),
    place(
      "fields of Firestore", "application/json",
      #"{"fields":{"user":{"stringValue":"bob"},"password":{"stringValue":"\#(s)"},"tokens":{"arrayValue":{"values":[{"stringValue":"\#(t)"}]}}}}"#
    ),
    place(
      "an item of DynamoDB", "application/json",
      #"{"Item":{"user":{"S":"bob"},"password":{"S":"\#(s)"},"tokens":{"L":[{"S":"\#(t)"}]}}}"#),
    place(
      "a collection of Postman", "application/json",
      #"{"auth":{"basic":[{"key":"username","value":"bob"},{"key":"password","value":"\#(s)","type":"string"},{"value":"\#(t)","key":"token"}]}}"#
    ),
    place(
      "a name with a path", "application/json",
      #"{"spring/datasource/password":"\#(s)","vault:api_key":"\#(t)","user":"bob"}"#),
    place("lines in a list", "application/json", #"{"env":["USER=bob","API_KEY=\#(s)","DB_PASSWORD=\#(t)"]}"#),
    place(
      "arguments in a list", "application/json", #"{"args":["--user","bob","--password","\#(s)","--token=\#(t)"]}"#),
    place(
      "YAML in a member", "application/json",
      "{\"manifest\":\(quoted("user: bob\nsecret:\n  value: \(s)\ntokens:\n  - \(t)\n"))}"),
    place(
      "XML in a member", "application/json",
      "{\"soap\":\(quoted("<r><user>bob</user><password>\(s)</password><tokens><t>\(t)</t></tokens></r>"))}"),
    place(
      "a query in an address in a member", "application/json",
      "{\"next\":\(quoted("https://a.example/cb?user=bob&state=\(percent(json))"))}"),
  ]

  private static let configurations = [
    place(
      "YAML with a map in a line", "application/yaml", "user: bob\nsecret: {value: \(s), n: 3}\ntokens: [\(t), ]\n"),
    place(
      "YAML with two documents", "application/yaml",
      "---\nuser: bob\n---\nsecret:\n  value: \"\(s)\"\ntokens:\n  - '\(t)'\n...\n"),
    place(
      "YAML with a text of lines", "application/yaml",
      "user: bob\nconfig: |\n  secret:\n    value: \(s)\n  tokens:\n  - \(t)\n"),
    place(
      "YAML with an anchor", "application/yaml",
      "base: &base\n  password: \(s)\nuser: bob\nnext:\n  <<: *base\n  api_key: !str \(t)\n"),
    place(
      "YAML with pairs", "application/yaml",
      "env:\n  - name: USER\n    value: bob\n  - name: DB_PASSWORD\n    value: \(s)\n  - name: API_TOKEN\n    value: \"\(t)\"\n"
    ),
    place(
      "an environment of compose", "application/yaml",
      "services:\n  web:\n    environment:\n      - USER=bob\n      - API_KEY=\(s)\n      - DB_PASSWORD=\(t)\n"),
    place(
      "TOML with a table in a line", "text/plain",
      "user = \"bob\"\nsecret = { value = \"\(s)\", n = 1 }\ntokens = [ \"\(t)\" ]\n"),
    place(
      "TOML with sections", "text/plain",
      "user = 'bob'\n[app.secret]\nvalue = '\(s)'\n[[logins]]\npassword = \"\"\"\(t)\"\"\"\n"),
    place("an INI file", "text/plain", "; of bob\n[db]\nuser = bob\npassword = \(s)\n[mail]\napi_key=\(t)\n"),
    place("properties", "text/plain", "db.user=bob\ndb.password = \(s)\n# comment\nmail.api.key : \(t)\n"),
    place(
      "a netrc", "text/plain",
      "machine a.example\n  login bob\n  password \(s)\nmachine b.example login eve password \(t)\n", "bob", "eve"),
    place(
      "HCL", "text/plain",
      "provider \"x\" {\n  user = \"bob\"\n  password = \"\(s)\"\n  tokens   = [\n    \"\(t)\",\n  ]\n}\n"),
    place("Lua", "text/plain", "return { user = \"bob\", [\"password\"] = \"\(s)\", tokens = { \"\(t)\" } }"),
    place("Elixir", "text/plain", "%{user: \"bob\", secret: %{value: \"\(s)\"}, tokens: [\"\(t)\"]}"),
    place(
      "nginx", "text/plain",
      "proxy_set_header X-User \"bob\";\nproxy_set_header X-Api-Key \"\(s)\";\nset $db_password \"\(t)\";\n"),
  ]

  private static let markup = [
    place(
      "an old kind of script", "text/html",
      "<script type=text/x-config>{user: \"bob\", secret: {value: \"\(s)\"}, tokens: [\"\(t)\"]}</script>"),
    place(
      "a form with inputs", "text/html",
      "<form><input name=\"user\" value=\"bob\"><input value='\(s)' type=hidden name='password'><input type=hidden name=api_key value=\(t)></form>"
    ),
    place(
      "a table with heads of rows", "text/html",
      "<table><tr><th>User</th><td>bob</td></tr><tr><th>Password</th><td>\(s)</td></tr><tr><th>API key:</th><td><code>\(t)</code></td></tr></table>"
    ),
    place(
      "a table with a head", "text/html",
      "<table><tr><th>user</th><th>password</th></tr><tr><td>bob</td><td>\(s)</td></tr><tr><td>eve</td><td>\(t)</td></tr></table>",
      "bob", "eve"),
    place(
      "settings of .NET", "text/xml",
      "<appSettings><add key=\"User\" value=\"bob\"/><add key=\"ApiKey\" value=\"\(s)\"/><add value='\(t)' key='Password' /></appSettings>"
    ),
    place(
      "entries with names", "text/xml",
      "<m><entry><key>user</key><value>bob</value></entry><entry><key>password</key><value>\(s)</value></entry><entry><string>token</string><string>\(t)</string></entry></m>"
    ),
    place(
      "elements in elements", "application/xml",
      "<r><secret>\n  <value>\(s)</value>\n</secret><tokens><item>\(t)</item></tokens><user>bob</user></r>"),
    place("JSON in an element", "application/xml", "<r><state>\(entities(json))</state></r>"),
    place("JSON in CDATA", "application/xml", "<r><state><![CDATA[\(json)]]></state></r>"),
    place(
      "XML in an element", "application/xml",
      "<r>\(entities("<login><user>bob</user><password>\(s)</password><api-key>\(t)</api-key></login>"))</r>"),
    place("an attribute with escapes", "text/html", "<div data-props=\"\(percent(json))\"></div>"),
    place("an attribute with a call", "text/html", "<body onload=\"start(\(entities(json)))\">"),
    place("a comment", "text/html", "<p>bob</p><!-- password: '\(s)', api_key: '\(t)' -->"),
    place(
      "a property list", "application/x-plist",
      "<plist><dict><key>user</key><string>bob</string><key>tokens</key><array><string>\(t)</string></array><key>secret</key><dict><key>value</key><string>\(s)</string></dict></dict></plist>"
    ),
    place(
      "a property list of old", "text/plain", "{ user = bob; secret = { value = \"\(s)\"; }; tokens = ( \"\(t)\" ); }"),
  ]

  private static let messages = [
    place(
      "a batch of messages", "multipart/mixed; boundary=b1",
      "--b1\r\nContent-Type: application/http\r\n\r\nPOST /login HTTP/1.1\r\nX-Api-Key: \(s)\r\nContent-Type: application/json\r\n\r\n{\"user\":\"bob\",\"tokens\":[\"\(t)\"]}\r\n--b1--\r\n"
    ),
    place(
      "parts in Base64", "multipart/mixed; boundary=b1",
      "--b1\r\nContent-Type: application/json\r\nContent-Transfer-Encoding: base64\r\n\r\n\(lines(base64(json), 76).replacing("\n", with: "\r\n"))\r\n--b1--\r\n"
    ),
    place(
      "parts in parts", "multipart/mixed; boundary=b1",
      "--b1\r\nContent-Type: multipart/form-data; boundary=b2\r\n\r\n--b2\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(s)\r\n--b2\r\nContent-Disposition: form-data; name=user\r\n\r\nbob\r\n--b2\r\nContent-Disposition: form-data; name=api_key\r\n\r\n\(t)\r\n--b2--\r\n\r\n--b1--\r\n"
    ),
    place("a frame of STOMP", "text/plain", "CONNECT\nlogin:bob\npasscode:\(s)\ntoken:\(t)\n\n\n"),
    place(
      "events with several lines", "text/event-stream",
      "event: a\ndata: {\"user\":\"bob\",\ndata: \"secret\":{\"value\":\"\(s)\"},\ndata: \"tokens\":[\"\(t)\"]}\n\n"),
    place(
      "what curl prints", "text/plain",
      "> POST /login HTTP/1.1\n> X-Api-Key: \(s)\n> User-Agent: bob\n< HTTP/1.1 200 OK\n< X-Auth-Token: \(t)\n"),
    place(
      "fields in JSON in a member of a header", "application/json",
      "{\"headers\":{\"X-Api-Key\":[\"\(s)\"],\"X-User\":[\"bob\"]},\"multiValueHeaders\":{\"Authorization\":[\"Bearer \(t)\"]}}"
    ),
    place(
      "a query of GraphQL", "application/json",
      "{\"query\":\(quoted("mutation { login(user: \"bob\", password: \"\(s)\", tokens: [\"\(t)\"]) { id } }"))}"),
    place("LDIF", "text/plain", "dn: cn=bob\nuserPassword: \(s)\ncn: bob\napiToken:: \(base64("\(t)"))\n"),
    place(
      "a form in a form", "application/x-www-form-urlencoded",
      "user=bob&data=\(percent("password=\(s)&api_key=\(percent("\(t)"))&n=1"))"),
    place(
      "brackets in a form", "application/x-www-form-urlencoded",
      "items[0][name]=user&items[0][value]=bob&items[1][name]=password&items[1][value]=\(s)&secret[value]=\(t)"),
    place("lists in a form", "application/x-www-form-urlencoded", "user=bob&tokens%5B%5D=\(t)&secret%5Bvalue%5D=\(s)"),
  ]

  private static let dumps = [
    place("a dump of Go", "text/plain", "&{User:bob Password:\(s) Tokens:[\(t)] N:3}"),
    place("a class of Java", "text/plain", "Login{user='bob', password='\(s)', tokens=[\(t)]}"),
    place("a class of Kotlin", "text/plain", "Login(user=bob, password=\(s), token=\(t))"),
    place("a class of Python", "text/plain", "Login(user='bob', secret=Secret(value='\(s)'), tokens=['\(t)'])"),
    place("a hash of Ruby", "text/plain", "{\"user\"=>\"bob\", :secret=>{:value=>\"\(s)\"}, tokens: [\"\(t)\"]}"),
    place("a struct of Rust", "text/plain", "Login { user: \"bob\", password: Some(\"\(s)\"), tokens: [\"\(t)\"] }"),
    place(
      "an array of PHP", "text/plain",
      "array (\n  'user' => 'bob',\n  'secret' => \n  array (\n    'value' => '\(s)',\n  ),\n  'tokens' => \n  array (\n    0 => '\(t)',\n  ),\n)"
    ),
    place(
      "a dump of PHP", "text/plain",
      "array(2) {\n  [\"secret\"]=>\n  array(1) {\n    [\"value\"]=>\n    string(8) \"\(s)\"\n  }\n  [\"tokens\"]=>\n  array(1) {\n    [0]=>\n    string(10) \"\(t)\"\n  }\n}\n",
      "array(1)"),
    place(
      "a dictionary of Swift", "text/plain",
      "[\"user\": \"bob\", \"secret\": [\"value\": \"\(s)\"], \"tokens\": [\"\(t)\"]]"),
    place(
      "a log with pairs", "text/plain", "level=info msg=\"login of bob\" password=\"\(s)\" token=\(t) took=12ms\n",
      "login of bob", "12ms"),
    place(
      "a log with structure", "text/plain",
      "<34>1 2026-03-01T12:30:00Z a.example app - - [auth@1 user=\"bob\" password=\"\(s)\"][x@2 api_key=\"\(t)\"] signed in",
      "bob", "signed in"),
    place(
      "labels of a metric", "text/plain",
      "http_requests{user=\"bob\",password=\"\(s)\",api_key=\"\(t)\"} 3 1395066363000\n", "bob", "1395066363000"),
    place(
      "an error with JSON", "text/plain", "Error: 400 while sending \(json) to https://a.example/x at 12:30:01", "bob",
      "12:30:01"),
  ]

  private static let tables = [
    place("CSV", "text/csv", "user,password,note\r\nbob,\(s),\"a, \"\"b\"\"\"\r\n\"eve\",\"\(t)\",c\r\n", "bob", "eve"),
    place("CSV with semicolons", "text/csv", "user;api_key\nbob;\(s)\neve;\(t)\n", "bob", "eve"),
    place("tabs", "text/tab-separated-values", "user\ttoken\nbob\t\(s)\neve\t\(t)\n", "bob", "eve"),
    place(
      "Markdown", "text/markdown",
      "# Users\n\n| user | password |\n| --- | :-- |\n| bob | \(s) |\n| eve | `\(t)` |\n\nEnd.\n", "bob", "eve", "End."),
    place(
      "a table of psql", "text/plain", " user | password \n------+----------\n bob  | \(s)\n eve  | \(t)\n(2 rows)\n",
      "bob", "eve", "(2 rows)"),
    place("an insertion", "text/plain", "INSERT INTO logins (user, password, api_key) VALUES ('bob', '\(s)', '\(t)');"),
    place("an update", "text/plain", "UPDATE logins SET password = '\(s)', token='\(t)' WHERE user = 'bob';"),
  ]

  private static let encodings = [
    place("Base64 with lines", "application/json", "{\"data\":\(quoted(lines(base64(json), 60)))}"),
    place(
      "Base64 for addresses", "application/json",
      "{\"data\":\"\(base64(json + "??>>").replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""))\"}"
    ),
    place("Base64 in a query", "text/plain", "GET https://a.example/?state=\(percent(base64(json)))&n=1"),
    place("Base64 in Base64 in XML", "application/xml", "<r><d>\(base64("{\"inner\":\"\(base64(json))\"}"))</d></r>"),
    place("a form in Base64", "application/json", "{\"data\":\"\(base64("user=bob&password=\(s)&api_key=\(t)"))\"}"),
    place("UTF-16 in Base64", "application/json", "{\"command\":\"\(utf16(json))\"}"),
    place("hexadecimal", "application/json", "{\"raw\":\"\(hexadecimal(json))\"}"),
    place(
      "an address with data", "text/html",
      "<a href=\"data:application/json;charset=utf-8;base64,\(base64(json))\">bob</a>"),
    place("an address with text", "text/html", "<a href=\"data:application/json,\(percent(json))\">bob</a>"),
    place("percent signs twice", "text/plain", "https://a.example/?next=\(percent("/cb?state=\(percent(json))"))"),
    place("a body of percent signs", "text/plain", percent(json)),
    place(
      "a text in a text in a text", "application/json",
      "{\"a\":\(quoted("{\"b\":\(quoted("{\"c\":\(quoted(json))}"))}"))}"),
    place(
      "parts of an unsigned token", "text/plain",
      "id \(base64("{\"a\":1}").replacing("=", with: "")).\(base64(json).replacing("=", with: "")).x"),
  ]

  private static let commands = [
    place("a command with options", "text/plain", "app login --user bob --password \(s) --api-key=\(t)\n"),
    place(
      "a command with data", "text/plain",
      "curl -X POST https://a.example/x -H 'X-Api-Key: \(s)' --data '{\"user\":\"bob\",\"tokens\":[\"\(t)\"]}'\n"),
    place(
      "a command with variables", "text/plain", "docker run -e USER=bob -e API_KEY=\(s) -e DB_PASSWORD='\(t)' image\n"),
    place("exports", "text/plain", "export USER=bob\nexport API_TOKEN=\(s)\nsetenv DB_PASSWORD \(t)\n"),
    place("a script for Windows", "text/plain", "$env:API_KEY = \"\(s)\"\nset USER=bob\nset DB_PASSWORD=\(t)\n"),
    place(
      "a string for a connection", "text/plain",
      "Server=tcp:a.example;User Id=bob;Password=\(s);Api Key=\(t);Timeout=30", "bob", "30"),
  ]

  private static let programs = [
    place(
      "types between names and values", "application/typescript",
      "class A {\n  user: string = \"bob\";\n  private password: string = \"\(s)\";\n  apiKey: string | null = '\(t)';\n}\n"
    ),
    place(
      "a map of C++", "text/plain",
      "std::map<std::string, std::string> m{{\"user\", \"bob\"}, {\"password\", \"\(s)\"}, {\"api_key\", \"\(t)\"}};"),
    place("terms of Erlang", "text/plain", "[{user,<<\"bob\">>},{password,<<\"\(s)\">>},{token,\"\(t)\"}]."),
    place("EDN", "application/edn", "{:user \"bob\" :password \"\(s)\" :tokens [\"\(t)\"] :n 42}", "bob", "42"),
    place(
      "names in a column", "text/plain", "\nUser     : bob\nPassword : \(s)\nApiKey   : \(t)\nCount    : 42\n", "bob",
      "42"),
    place("a patch", "text/x-diff", "@@ -1,3 +1,3 @@\n user: bob\n-password: \(s)\n+password: none\n+api_key: \(t)\n"),
    place("a makefile", "text/plain", "NAME = bob\nDB_PASSWORD := \(s)\nAPI_TOKEN ?= \(t)\nall:\n\techo $(NAME)\n"),
    place(
      "a block of Gradle", "text/plain",
      "credentials {\n  username 'bob'\n  password '\(s)'\n}\next.apiKey = '\(t)'\n"),
    place("fields of reST", "text/x-rst", ":user: bob\n:password: \(s)\n:api-key: \(t)\n"),
    place(
      "statements of SQL", "text/plain",
      "CREATE USER bob WITH PASSWORD '\(s)';\nALTER USER bob IDENTIFIED BY '\(t)';\n"),
    place(
      "lists whose ends are left out", "text/html", "<dl><dt>User<dd>bob<dt>Password<dd>\(s)<dt>API key<dd>\(t)</dl>"),
    place(
      "a table without a head", "text/html",
      "<table><tr><td>User</td><td>bob</td></tr><tr><td>Password</td><td>\(s)</td></tr><tr><td>Access token</td><td>\(t)</td></tr></table>"
    ),
    place(
      "strings of Android", "text/xml",
      "<resources><string name=\"user\">bob</string><string name=\"password\">\(s)</string><string name=\"api_key\">\(t)</string></resources>"
    ),
  ]

  private static let services = [
    place(
      "a patch of JSON", "application/json-patch+json",
      #"[{"op":"test","path":"/user","value":"bob"},{"op":"replace","path":"/password","value":"\#(s)"},{"op":"add","path":"/login/api_key","value":"\#(t)"}]"#
    ),
    place(
      "parameters of a stack", "application/json",
      #"{"Parameters":[{"ParameterKey":"User","ParameterValue":"bob"},{"ParameterKey":"DBPassword","ParameterValue":"\#(s)"},{"ParameterValue":"\#(t)","ParameterKey":"ApiKey"}]}"#
    ),
    place(
      "fields of a chat's message", "application/json",
      #"{"fields":[{"title":"User","value":"bob"},{"title":"Password","value":"\#(s)","short":true},{"title":"API key","value":"\#(t)"}]}"#
    ),
    place(
      "fields of an index", "application/json",
      #"{"hits":[{"fields":{"user.keyword":["bob"],"password.keyword":["\#(s)"],"api_key.raw":["\#(t)"]}}]}"#),
    place(
      "a document of Solr", "text/xml",
      "<doc><str name=\"user\">bob</str><str name=\"password\">\(s)</str><arr name=\"tokens\"><str>\(t)</str></arr></doc>"
    ),
    place("calls in a row", "text/plain", "Login.builder().user(\"bob\").password(\"\(s)\").setApiKey('\(t)').build()"),
    place(
      "calls with a name and a value", "application/javascript",
      "localStorage.setItem(\"user\", \"bob\"); localStorage.setItem(\"access_token\", \"\(s)\"); h.append('X-Api-Key', '\(t)');"
    ),
    place(
      "examples of Gherkin", "text/plain",
      "Given users:\n  | user | password |\n  | bob  | \(s) |\n  | eve  | \(t) |\n", "bob", "eve"),
    place("tabs between names and values", "text/plain", "user\tbob\npassword\t\(s)\napi_key\t\(t)\n"),
    place(
      "settings of curl", "text/plain",
      "user-agent = \"bob\"\nheader = \"Authorization: Bearer \(s)\"\nheader = \"X-Api-Key: \(t)\"\n"),
    place(
      "credentials in a list of fields", "application/json",
      #"{"headers":["X-User: bob","Authorization: Bearer \#(s)","Proxy-Authorization: Custom \#(t)"]}"#),
    place(
      "a table of MySQL", "text/plain",
      "+------+------------+\n| user | api_key    |\n+------+------------+\n| bob  | \(s)   |\n| eve  | \(t) |\n+------+------------+\n",
      "bob", "eve"),
    place(
      "a plan of Terraform", "text/plain",
      "  ~ resource \"x\" \"y\" {\n      + user     = \"bob\"\n      ~ password = \"\(s)\" -> \"none\"\n      + api_key  = \"\(t)\"\n    }\n"
    ),
    place("bytes of Python", "text/plain", "{'user': 'bob', 'password': b'\(s)', 'api_key': SecretStr('\(t)')}"),
    place(
      "a registry of Windows", "text/plain",
      "[HKEY_CURRENT_USER\\Software\\A]\n\"User\"=\"bob\"\n\"Password\"=\"\(s)\"\n\"ApiKey\"=\"\(t)\"\n"),
    place(
      "a registry of packages", "text/plain",
      "user=bob\n//a.example/:_authToken=\(s)\n//a.example/:_password=\"\(t)\"\n"),
  ]

  private static let terminals = [
    place(
      "columns between spaces", "text/plain",
      "USER      PASSWORD    AGE\nbob       \(s)    3d\neve       \(t)  12d\n", "bob", "eve", "12d"),
    place(
      "names and values in two columns", "text/plain",
      "Key              Value\n---              -----\nuser             bob\ntoken            \(s)\nclient_secret    \(t)\n"
    ),
    place(
      "a table of box characters", "text/plain",
      "┌──────┬────────────┐\n│ user │ password   │\n├──────┼────────────┤\n│ bob  │ \(s)   │\n│ eve  │ \(t) │\n└──────┴────────────┘\n",
      "bob", "eve"),
    place(
      "a table whose rows have names", "text/plain",
      "+----------+------------+\n| user     | bob        |\n| password | \(s)   |\n| api_key  | \(t) |\n+----------+------------+\n"
    ),
    place(
      "a record of psql", "text/plain", "-[ RECORD 1 ]--------\nuser     | bob\npassword | \(s)\napi_key  | \(t)\n"),
    place(
      "a table with a line between rows", "text/plain",
      "+------+------------+\n| user | api_key    |\n+======+============+\n| bob  | \(s)   |\n+------+------------+\n| eve  | \(t) |\n+------+------------+\n",
      "bob", "eve"),
    place(
      "a list that PHP prints", "text/plain",
      "Array\n(\n    [user] => bob\n    [secret] => Array\n        (\n            [value] => \(s)\n        )\n\n    [tokens] => Array\n        (\n            [0] => \(t)\n        )\n)\n"
    ),
    place("CSV without a head", "text/csv", "user,bob\npassword,\(s)\napi_key,\(t)\n"),
    place(
      "colors", "text/plain",
      "\u{1B}[32muser\u{1B}[0m: bob\n\u{1B}[32mpassword\u{1B}[0m: \u{1B}[33m\(s)\u{1B}[0m\n\u{1B}[1;36mapi_key\u{1B}[0m=\u{1B}[31m\(t)\u{1B}[m\n"
    ),
    place(
      "users of curl", "text/plain", "curl --user=bob:\(s) https://a.example/\ncurl -ubob:\(t) https://a.example/\n"),
    place(
      "quoted users of curl", "text/plain", "curl --user='bob:\(s)' https://a.example/ && curl -u \"bob:\(t)\" /b\n"),
  ]

  private static let signs = [
    place("values in the next line", "text/plain", "User:\nbob\nPassword:\n\(s)\n\nAPI key:\n\n\(t)\n"),
    place("signs of Chinese and Japanese", "text/plain", "用户：bob\n密码：\(s)\napi_key ＝ \(t)\n"),
    place("quotation marks of print", "text/plain", "user: “bob”\npassword: “\(s)”\napi_key = «\(t)»\n"),
    place(
      "spaces that break no line", "text/plain", "User\u{A0}: bob\nPassword\u{A0}:\u{A0}\(s)\nAPI key\u{A0}: \(t)\n"),
    place("spaces without a width", "text/plain", "user: bob\npassword:\u{200B} \(s)\napi_key\u{200B}: \(t)\n"),
    place("keys of YAML", "application/yaml", "? user\n: bob\n? password\n: \(s)\n? \"tokens\"\n: - \"\(t)\"\n"),
    place(
      "variables of Terraform", "text/plain",
      "variable \"user\" {\n  default = \"bob\"\n}\nvariable \"db_password\" {\n  default = \"\(s)\"\n}\noutput \"api_key\" { value = \"\(t)\" }\n"
    ),
    place(
      "comments around names", "application/javascript",
      "var c = { user: \"bob\", password /* old */ : /* \"none\", */ \"\(s)\", apiKey/**/:/**/\"\(t)\" };"),
    place(
      "comments around values", "text/plain",
      "user = bob /* him */\npassword = /* new */ \(s) /* until May */\napi_key: \(t)/* x */\n"),
    place(
      "lists of names and values", "application/json",
      #"{"rawHeaders":["User","bob","X-Api-Key","\#(s)","Age","12","Authorization","Bearer \#(t)"]}"#, "bob", "12"),
    place(
      "extended JSON", "application/json",
      #"{"user":{"$symbol":"bob"},"password":{"$binary":{"base64":"\#(base64(s))","subType":"00"}},"token":{"$symbol":"\#(t)"}}"#
    ),
    place(
      "JSON made of XML", "application/json",
      ##"{"user":{"#text":"bob"},"password":{"@type":"b","#text":"\##(s)"},"api_key":{"_":"\##(t)"}}"##),
    place(
      "an address as a name", "application/json", #"{"https://a.example/?user=bob&token=\#(s)":{"password":"\#(t)"}}"#),
    place(
      "elements with identifiers", "text/html",
      "<p id=\"user\">bob</p><code id=\"api-key\">\(s)</code><input id='password' type=text value='\(t)'>"),
    place(
      "elements after a colon", "text/html",
      "<div><span>User:</span> <span>bob</span></div><div><span>Password:</span> <code>\(s)</code></div><div><i>API key:</i> <tt>\(t)</tt></div>"
    ),
  ]

  private static let wrappings = [
    place(
      "events with a break after a name", "text/event-stream",
      "id: 7\ndata: {\"user\":\"bob\",\"password\":\ndata: \"\(s)\",\"tokens\":[\ndata:\"\(t)\"]}\n\n"),
    place("entities in entities", "text/html", "<div data-props=\"\(entities(entities(json)))\">bob</div>"),
    place("JSON of entities alone", "application/json", "{\"html\":\(quoted(entities(entities(entities(json)))))}"),
    place(
      "entities with names", "text/html",
      "<p data-x='&lcub;&quot;user&quot;&colon;&quot;bob&quot;&comma;&quot;api&lowbar;key&quot;&colon;&quot;\(s)&quot;&comma;&quot;tokens&quot;&colon;&lsqb;&quot;\(t)&quot;&rsqb;&rcub;'></p>"
    ),
    place("hexadecimal digits after 0x", "application/json", "{\"raw\":\"0x\(hexadecimal(json))\"}"),
    place("hexadecimal digits between spaces", "text/plain", "user: bob\nbody: \(pairs(json, " "))\n"),
    place("an array of bytes in C", "text/plain", "user = bob; char body[] = {0x\(pairs(json, ", 0x"))};"),
    place("hexadecimal digits between colons", "text/plain", "user: bob\nbody = \(pairs(json, ":").uppercased())\n"),
    place("bytes of C", "text/plain", "user: bob\nbody \\x\(pairs(json, "\\x"))\n"),
    place(
      "octal digits", "text/plain", "data = '\(json.replacing("\"", with: "\\042"))'\nuser = 'bob'\n"),
    place(
      "escapes with braces", "application/javascript",
      "JSON.parse('\(json.replacing("\"", with: "\\u{22}"))'); user = 'bob'"),
    place(
      "fields with a character set", "multipart/form-data; boundary=b1",
      "--b1\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nbob\r\n--b1\r\nContent-Disposition: form-data; name*=UTF-8''password\r\n\r\n\(s)\r\n--b1\r\nContent-Disposition: form-data; name*=utf-8'en'api%5Fkey\r\n\r\n\(t)\r\n--b1--\r\n"
    ),
    place(
      "parts in quoted-printable", "multipart/mixed; boundary=b1",
      "--b1\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p class=3D\"a\">bob</p><input name=3D\"passw=\r\nord\" value=3D\"\(s)\"><a href=3D\"/?api_key=3D\(t.prefix(4))=\r\n\(t.dropFirst(4))&n=3D1\">x</a>\r\n--b1--\r\n"
    ),
    place(
      "a mail", "message/rfc822",
      "From: bob\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\npassword =3D \(s)\r\napi_key=3D\(t)\r\n"
    ),
    place(
      "fields of two lines", "application/http",
      "GET / HTTP/1.1\r\nHost: bob\r\nX-Api-Key:\r\n \(s)\r\nAuthorization: Bearer\r\n\t\(t)\r\n\r\n"),
  ]
}
