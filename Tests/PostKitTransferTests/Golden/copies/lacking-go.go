// net/http speaks HTTP/1.1; the request asks for HTTP/3.
// net/http can't ask for the target `*`; it asks for that of the URL.
// net/http does not support NTLM authentication; it is left out.
// The copy does not limit the time to connect; the request has 0.100 s.
// net/http can't be told the passphrase of the key here.
// net/http follows a redirect of a POST with GET; the request keeps its method.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
)

func main() {
	var body []byte
	body = append(body, "\xff\x00"...)
	{
		content, err := os.ReadFile("/f.bin")
		if err != nil {
			panic(err)
		}
		body = append(body, content...)
	}
	request, err := http.NewRequest("PURGE", "https://h/a/../b?c={d}", bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Host = "other"
	request.Header["x-a"] = append(request.Header["x-a"], "1")
	request.Header["X-A"] = append(request.Header["X-A"], "2")
	request.Header["User-Agent"] = []string{""}
	request.ContentLength = -1
	request.TransferEncoding = []string{"chunked"}
	authorities, err := os.ReadFile("/ca.pem")
	if err != nil {
		panic(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authorities)
	certificate, err := tls.LoadX509KeyPair("/c.pem", "/c.pem")
	if err != nil {
		panic(err)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true, RootCAs: pool, Certificates: []tls.Certificate{certificate}}
	proxy, err := url.Parse("http://p:8080")
	if err != nil {
		panic(err)
	}
	transport.Proxy = http.ProxyURL(proxy)
	client := &http.Client{Transport: transport, CheckRedirect: func(_ *http.Request, via []*http.Request) error { if len(via) > 3 { return errors.New("too many redirects") }; return nil }}
	response, err := client.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	io.Copy(os.Stdout, response.Body)
}
