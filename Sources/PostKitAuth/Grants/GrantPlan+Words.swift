// What a plan says and is told: the plan decides, somebody else listens, shows and sends.

package import PostKitHTTP

/// A request that a plan wants to have sent (AU-2).
package struct TokenRequest: Sendable, Hashable {
  /// What it is for; it also says whether an answer can be kept for later.
  package enum Purpose: Sendable, Hashable {
    case discovery, token, device, pushedAuthorization, revocation, keys
  }

  package var purpose: Purpose
  package var method: String
  package var url: String
  package var headers: HeaderFields
  /// The body, `application/x-www-form-urlencoded`; empty for a GET.
  package var body: [UInt8]
  /// The names of its parameters, in their order, for messages.
  package var parameterNames: [String]

  /// Makes a request.
  package init(
    _ purpose: Purpose, method: String, url: String, headers: HeaderFields = HeaderFields(),
    body: [UInt8] = [], parameterNames: [String] = []
  ) {
    self.purpose = purpose
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.parameterNames = parameterNames
  }
}

/// What came back for a request of a plan.
package struct TokenReply: Sendable, Hashable {
  package var status: Int
  package var headers: HeaderFields
  package var body: [UInt8]

  /// Makes a reply.
  package init(status: Int, headers: HeaderFields = HeaderFields(), body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Where a browser comes back to (AU-31).
package struct RedirectPlace: Sendable, Hashable {
  /// Which addresses are listened on.
  package enum Addresses: Sendable, Hashable {
    /// 127.0.0.1 and ::1, because browsers choose.
    case localhost
    /// One address, such as `127.0.0.1` or `::1`.
    case one(String)
  }

  package var addresses: Addresses
  /// The port; 0 where any will do.
  package var port: UInt16
  /// The path that a redirect has, such as `/callback`.
  package var path: String
  /// The redirect URI with `{port}` where the port that was found goes.
  package var template: String

  /// Makes a place.
  package init(addresses: Addresses, port: UInt16, path: String, template: String) {
    self.addresses = addresses
    self.port = port
    self.path = path
    self.template = template
  }

  /// The redirect URI, once a port is known.
  package func uri(port: UInt16) -> String {
    guard let place = template.firstRange(of: "{port}") else { return template }
    return template[..<place.lowerBound] + "\(port)" + template[place.upperBound...]
  }
}

/// A page that somebody has to visit in a browser.
package struct BrowserVisit: Sendable, Hashable {
  package var url: String
  /// The redirect URI that the server was told.
  package var redirectURI: String
  /// The state by which a redirect is known.
  package var state: String
  /// Whether somebody listens for the redirect; otherwise the address has to be pasted (AU-34).
  package var isListened: Bool
  /// Whether a bare code may be pasted, which PKCE alone makes safe.
  package var takesBareCode: Bool
  /// Whether the answer is in the fragment, so that a page has to send it back (AU-27).
  package var readsFragment: Bool

  /// Makes a visit.
  package init(
    url: String, redirectURI: String, state: String, isListened: Bool, takesBareCode: Bool,
    readsFragment: Bool
  ) {
    self.url = url
    self.redirectURI = redirectURI
    self.state = state
    self.isListened = isListened
    self.takesBareCode = takesBareCode
    self.readsFragment = readsFragment
  }
}

/// A code that somebody types in on another device (RFC 8628, section 3.2).
package struct DeviceCode: Sendable, Hashable {
  package var userCode: String
  package var verificationURL: String
  /// The page with the code filled in, where it may be opened.
  package var completeURL: String?
  /// When the code ends, in milliseconds since 1970-01-01T00:00:00Z.
  package var expires: Int64
  /// Whether polling waits until the page is opened (AU-38).
  package var waitsForBrowser: Bool

  /// Makes a code.
  package init(
    userCode: String, verificationURL: String, completeURL: String? = nil, expires: Int64,
    waitsForBrowser: Bool = false
  ) {
    self.userCode = userCode
    self.verificationURL = verificationURL
    self.completeURL = completeURL
    self.expires = expires
    self.waitsForBrowser = waitsForBrowser
  }
}

/// What a plan wants next.
package enum GrantStep: Sendable, Hashable {
  /// Send a request; answered by `.reply` or `.unreachable`.
  case request(TokenRequest)
  /// Listen, before any browser is opened; answered by `.listening` or `.cannotListen`.
  case listen(RedirectPlace)
  /// Have a page visited; answered by `.redirected`, `.pasted`, `.timedOut` or `.declined`.
  case visit(BrowserVisit)
  /// Show a code; answered by `.shown` at once, or where the code says so when the page is opened;
  /// it stays until the plan ends.
  case show(DeviceCode)
  /// Wait for milliseconds; answered by `.waited`, or by `.declined`.
  case wait(milliseconds: Int)
  /// The end: tokens, to be kept before they are used.
  case done(TokenSet)
  /// The end: none.
  case failed(AuthFailure)
}

/// What a plan is told.
package enum GrantEvent: Sendable, Hashable {
  /// Its first event.
  case begin
  case reply(TokenReply)
  /// No reply: the failure has the transport's word and sentence.
  case unreachable(Failure)
  /// Somebody listens; the redirect URI has the port.
  case listening(redirectURI: String)
  case cannotListen(AuthFailure)
  /// What a redirect of ours brought: names and values of its query, form or fragment.
  case redirected([AuthField])
  /// What somebody pasted: an address or a bare code.
  case pasted(String)
  case shown
  case waited
  /// Nobody signed in in time; with the seconds that were given.
  case timedOut(seconds: Int)
  /// Somebody closed the question.
  case declined
}

/// A name and a value of a query or a form.
package struct AuthField: Sendable, Hashable {
  package var name: String
  package var value: String

  /// Makes a field.
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
