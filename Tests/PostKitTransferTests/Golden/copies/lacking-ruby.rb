# Net::HTTP speaks HTTP/1.1; the request asks for HTTP/3.
# Net::HTTP does not support NTLM authentication; it is left out.
# Net::HTTP follows a redirect of a POST with GET; the request keeps its method.
# Net::HTTP writes the names of fields with capital letters at the beginning of each word.
# Net::HTTP adds `Content-Type` of its own.
require "net/http"

uri = URI("https://h")
body = "\xff\x00".b + File.binread("/f.bin")
request = Net::HTTPGenericRequest.new("PURGE", true, true, "*")
request.delete("Accept")
request.delete("User-Agent")
request["Host"] = "other"
request["x-a"] = "1"
request.add_field("X-A", "2")
request["Transfer-Encoding"] = "chunked"
request.body_stream = StringIO.new(body)
http = Net::HTTP.new(uri.hostname, uri.port, URI("http://p:8080").hostname, URI("http://p:8080").port, URI("http://p:8080").user, URI("http://p:8080").password)
http.use_ssl = uri.scheme == "https"
http.verify_mode = OpenSSL::SSL::VERIFY_NONE
http.ca_file = "/ca.pem"
http.cert = OpenSSL::X509::Certificate.new(File.read("/c.pem"))
http.key = OpenSSL::PKey.read(File.read("/c.pem"), "x")
http.open_timeout = 0.100
response = http.request(request)
3.times do
  break unless response.is_a?(Net::HTTPRedirection) && response["Location"]
  uri = URI.join(uri, response["Location"])
  response = Net::HTTP.get_response(uri)
end
puts response.body
