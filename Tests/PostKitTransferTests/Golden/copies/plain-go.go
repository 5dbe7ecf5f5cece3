package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"time"
)

func main() {
	body := []byte("{\n  \"a\": \"it's\"\n}")
	request, err := http.NewRequest("POST", "https://h.example/orders?a=1", bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header["Content-Type"] = []string{"application/json"}
	request.Header["User-Agent"] = []string{"p"}
	request.Header["X-Price"] = []string{"$5 {x}"}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, Timeout: 2500 * time.Millisecond}
	response, err := client.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	io.Copy(os.Stdout, response.Body)
}
