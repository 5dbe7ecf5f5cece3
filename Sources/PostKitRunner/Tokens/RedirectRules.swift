// What a request to the port of a sign-in means (AU-32): a pure function of the request.

import PostKitAuth
import PostKitHTTP
import PostKitLoopback
import PostKitSupport

/// The redirect that one sign-in waits for. Whoever runs a web page can send requests to the port;
/// only one that knows the state ends the sign-in.
struct RedirectRules: Sendable {
  private let authority: String
  private let path: String
  private let state: String
  private let readsFragment: Bool

  /// The rules of a visit that ends at `visit.redirectURI`.
  init(_ visit: BrowserVisit) {
    let url = URLText(visit.redirectURI)
    let port = url[url.port].map { $0 == "80" ? "" : ":\($0)" } ?? ""
    authority = String(url[url.host] ?? "") + port
    path = url.path.isEmpty ? "/" : String(visit.redirectURI[url.path])
    state = visit.state
    readsFragment = visit.readsFragment
  }

  /// What is answered, and the fields that end the sign-in, if it ends.
  func answer(to request: LoopbackRequest) -> (response: LoopbackResponse, fields: [AuthField]?) {
    guard let host = request.headers.first("Host"), names(host) else {
      return (RedirectPage.refusal(421, "This address is not the one of the sign-in."), nil)
    }
    guard request.path == path else {
      return (RedirectPage.refusal(404, "There is nothing here."), nil)
    }
    let text: String
    switch request.method {
    case "GET": text = request.query ?? ""
    case "POST":
      guard MediaType(request.headers.first("Content-Type") ?? "")?.isForm == true else {
        return (RedirectPage.refusal(415, "A sign-in ends with a form."), nil)
      }
      text = String(decoding: request.body, as: UTF8.self)
    default:
      var response = RedirectPage.refusal(405, "A sign-in ends with GET or POST.")
      response.headers.append("Allow", "GET, POST")
      return (response, nil)
    }
    let fields = LoopbackRequest.formFields(text).map { AuthField($0.name, $0.value) }
    let states = fields.filter { $0.name == "state" }
    let isError = fields.contains { $0.name == "error" }
    // Some providers leave the state out of errors; nobody else's sign-in waits at this port.
    if states.count == 1 ? isEqual(states[0].value, state) : states.isEmpty && isError {
      return (RedirectPage.end(isError: isError), fields)
    }
    let mayHaveFragment = readsFragment && request.method == "GET" && states.isEmpty
    if mayHaveFragment { return (RedirectPage.fragment, nil) }
    return (RedirectPage.unknown, nil)
  }

  /// Whether a `Host` header is the redirect URI's: a name that someone else has made to mean this
  /// machine is not.
  private func names(_ host: String) -> Bool {
    let host = host.lowercased()
    return (host.hasSuffix(":80") ? String(host.dropLast(3)) : host) == authority.lowercased()
  }

  /// Compares in a time that tells nothing of where two texts differ.
  private func isEqual(_ text: String, _ other: String) -> Bool {
    let (left, right) = (Array(text.utf8), Array(other.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// The pages that a browser shows at the end of a sign-in. Nothing of a request is in them.
enum RedirectPage {
  /// The page after the redirect.
  static func end(isError: Bool) -> LoopbackResponse {
    page(
      200,
      isError
        ? "The sign-in did not succeed. PostKit says why; you can close this page."
        : "PostKit has the answer of the sign-in. You can close this page.")
  }

  /// The page after a redirect that nobody waits for.
  static let unknown = page(400, "This sign-in was not started here, or is over.")

  /// A refusal.
  static func refusal(_ status: Int, _ sentence: String) -> LoopbackResponse {
    page(status, sentence)
  }

  /// The page that sends the fragment back, which no browser sends by itself (AU-27).
  static let fragment = page(
    200, "PostKit reads the answer of the sign-in.", head: "<script>\(script)</script>",
    policy: "default-src 'none'; script-src 'sha256-\(scriptDigest)'; connect-src 'self'")

  private static let script = """

    const answer = location.hash.slice(1);
    history.replaceState(null, "", location.pathname);
    addEventListener("DOMContentLoaded", async () => {
      const tell = (text) => { document.body.textContent = text; };
      try {
        const response = await fetch(location.pathname, {
          method: "POST",
          headers: { "Content-Type": "application/x-www-form-urlencoded" },
          body: answer,
        });
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        tell(page.body.textContent);
      } catch {
        tell("PostKit does not wait for this sign-in any more.");
      }
    });

    """

  private static let scriptDigest = Base64.encode(SHA256.digest(Array(script.utf8)))

  private static func page(
    _ status: Int, _ sentence: String, head: String = "", policy: String = "default-src 'none'"
  ) -> LoopbackResponse {
    let text = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">"
      + "<title>PostKit</title>" + head + "</head><body>\(sentence)</body></html>\n"
    var response = LoopbackResponse.content(
      "text/html; charset=utf-8", Array(text.utf8), status: status)
    for (name, value) in [
      ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
      ("X-Content-Type-Options", "nosniff"),
      ("Content-Security-Policy", policy + "; frame-ancestors 'none'"),
    ] { response.headers.append(name, value) }
    response.endsConnection = true
    return response
  }
}
