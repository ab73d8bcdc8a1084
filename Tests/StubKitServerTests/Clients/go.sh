cd "$(mktemp -d)"; trap 'chmod -R u+w "$PWD"; rm -rf "$PWD"' EXIT
cat > ask.go <<'END'
package main
import ("fmt"; "io"; "net/http"; "strings"; "time")
func main() {
  client := &http.Client{Timeout: time.Second, Transport: &http.Transport{}}
  ok, _ := client.Get("BASE/ok")
  io.ReadAll(ok.Body)
  ok.Body.Close()
  response, err := client.Get("BASE/PATH")
  if err == nil { _, err = io.ReadAll(response.Body) }
  text := fmt.Sprint(err)
  for _, part := range []string{"connection reset", "malformed MIME header", "Timeout exceeded"} {
    if strings.Contains(text, part) { text = part }
  }
  fmt.Println(text)
}
END
go run ask.go
