// The one table of what the example server offers: routing follows it and `/` lists it.

import PostKitHTTP
import PostKitJSON
import PostKitLoopback

/// One line of the table.
struct ExampleEndpoint: Sendable {
  /// Makes the answer from the site, the request and the values of the path's braces.
  typealias Answer = @Sendable (ExampleSite, LoopbackRequest, [String]) -> LoopbackResponse

  /// The methods it takes; empty for all.
  let methods: [String]
  /// The path, with braces around what varies.
  let path: String
  /// What it does, as a sentence.
  let summary: String
  /// Makes the answer.
  let answer: Answer

  /// Makes a line of the table.
  init(_ methods: String, _ path: String, _ summary: String, _ answer: @escaping Answer) {
    self.methods = methods == "*" ? [] : methods.split(separator: " ").map(String.init)
    self.path = path
    self.summary = summary
    self.answer = answer
  }

  /// Whether a method is taken; `HEAD` goes wherever `GET` goes.
  func takes(_ method: String) -> Bool {
    methods.isEmpty || methods.contains(method) || method == "HEAD" && methods.contains("GET")
  }

  /// The values of the braces where the path fits.
  func match(_ segments: [String]) -> [String]? {
    let pattern = path.split(separator: "/")
    guard pattern.count == segments.count else { return nil }
    var values: [String] = []
    for (part, segment) in zip(pattern, segments) {
      if part.hasPrefix("{") {
        values.append(segment)
      } else if part != segment {
        return nil
      }
    }
    return values
  }

  /// Everything that the server offers.
  static let all: [ExampleEndpoint] = [
    .init("GET", "/", "Lists what is here.") { site, request, _ in site.index(request) },
    .init("GET", "/get", "Repeats a GET request as JSON.", echo),
    .init("POST", "/post", "Repeats a POST request as JSON.", echo),
    .init("PUT", "/put", "Repeats a PUT request as JSON.", echo),
    .init("PATCH", "/patch", "Repeats a PATCH request as JSON.", echo),
    .init("DELETE", "/delete", "Repeats a DELETE request as JSON.", echo),
    .init("*", "/anything", "Repeats a request of any method as JSON.", echo),
    .init("*", "/status/{code}", "Answers with a status code from 200 to 599.") {
      $0.status($2[0])
    },
    .init("GET", "/headers", "Repeats the request's header fields.") { site, request, _ in
      .json(["headers": Echo.headers(request.headers)])
    },
    .init("GET", "/json", "A JSON document.") { _, _, _ in .json(Samples.document) },
    .init("GET", "/html", "An HTML page.") { _, _, _ in
      .content("text/html; charset=utf-8", Array(Samples.html.utf8))
    },
    .init("GET", "/xml", "An XML document.") { _, _, _ in
      .content("application/xml", Array(Samples.xml.utf8))
    },
    .init("GET POST", "/users", "Three people; POST answers 201 as if one was added.") {
      site, request, _ in site.users(request)
    },
    .init("GET", "/users/{id}", "One of the three people, or 404.") { $0.user($2[0]) },
    .init("POST", "/login", "Takes a JSON object and answers with a token.") {
      site, request, _ in site.login(request)
    },
    .init("GET", "/protected", "Needs the token as Authorization: Bearer.") {
      site, request, _ in site.protected(request)
    },
    .init("GET", "/cookies", "Repeats the request's cookies.") { site, request, _ in
      .json(["cookies": Echo.object(Echo.cookies(request.headers))])
    },
    .init("GET", "/cookies/set", "Sets the cookies of the query, then goes to /cookies.") {
      site, request, _ in site.setCookies(request)
    },
    .init("*", "/redirect/{n}", "Redirects n times, at most 100, then to /get.") {
      $0.redirect($2[0])
    },
    .init("*", "/delay/{seconds}", "Waits, at most 10 seconds, then repeats the request.") {
      $0.delay($2[0], $1)
    },
    .init("GET", "/stream/{n}", "Sends n lines of JSON, each as a chunk.") {
      $0.stream($2[0], $1)
    },
    .init("GET", "/bytes/{n}", "Sends n bytes, at most 2 GiB.") { $0.bytes($2[0]) },
    .init("GET", "/image", "A small PNG image.") { _, _, _ in
      .content("image/png", Samples.image)
    },
    .init("GET", "/gzip", "Repeats the request in a gzip-encoded body.") { site, request, _ in
      site.gzip(request)
    },
  ]

  private static let echo: Answer = { site, request, _ in .json(.object(site.echo(request))) }
}

/// What answers depend on besides the request; a value, so that routing is a pure function.
struct ExampleSite: Sendable {
  /// The server's base URL without a slash at its end.
  let base: String
  /// What `/login` hands out and `/protected` wants.
  let token: String

  /// The answer to a request.
  func respond(to request: LoopbackRequest) -> LoopbackResponse {
    let segments = request.segments
    var allowed: [String] = []
    for endpoint in ExampleEndpoint.all {
      guard let values = endpoint.match(segments) else { continue }
      if endpoint.takes(request.method) { return endpoint.answer(self, request, values) }
      allowed += endpoint.methods
    }
    if allowed.isEmpty && request.path != "*" {
      return .problem(
        404, "Nothing is at \(request.path).", help: "GET \(base)/ lists everything that is here.")
    }
    if allowed.contains("GET") { allowed.append("HEAD") }
    let allow = (allowed + ["OPTIONS"]).joined(separator: ", ")
    if request.method == "OPTIONS" {
      return LoopbackResponse(status: 204, headers: ["Allow": allow])
    }
    var response = LoopbackResponse.problem(
      405, "\(request.path) doesn't take \(request.method).", help: "It takes \(allow).")
    response.headers.append("Allow", allow)
    return response
  }
}
