# Net::HTTP has no limit for the whole transfer; the request has 2.500 s.
require "net/http"

uri = URI("https://h.example")
body = "{\n  \"a\": \"it's\"\n}".b
request = Net::HTTPGenericRequest.new("POST", true, true, "/orders?a=1")
request.delete("Accept")
request["Content-Type"] = "application/json"
request["User-Agent"] = "p"
request["X-Price"] = "$5 {x}"
request.body = body
http = Net::HTTP.new(uri.hostname, uri.port)
http.use_ssl = uri.scheme == "https"
response = http.request(request)
puts response.body
