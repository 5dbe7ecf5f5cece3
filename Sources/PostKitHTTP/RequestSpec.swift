// What will be sent: nothing in here is unresolved, every URL is absolute.

/// A piece of a request body: bytes at hand, or a file whose bytes are streamed when it is sent.
package enum BodyChunk: Sendable, Hashable {
  /// Bytes to send as they are.
  case bytes([UInt8])
  /// The bytes of the file at an absolute path (PK-16).
  case file(path: String)
}

/// The HTTP version asked for (PK-94).
package enum HTTPVersion: String, Sendable, Hashable {
  /// HTTP/2 over TLS where ALPN agrees, else HTTP/1.1.
  case automatic = ""
  case http10 = "1.0"
  case http11 = "1.1"
  case http2 = "2"
  /// HTTP/2 without TLS and without an upgrade.
  case http2PriorKnowledge = "2 (Prior Knowledge)"
  case http3 = "3"
}

/// How a request proves who sends it, where libcurl does that (PK-79, PK-80).
package enum Authentication: Sendable, Hashable {
  case digest(user: String, password: String)
  /// With an empty user, the one who is logged in.
  case ntlm(user: String, password: String)
  /// With an empty user, the one who is logged in.
  case negotiate(user: String, password: String)
  case signature(AWSSignature)
}

/// What a request is signed with (AWS Signature Version 4).
package struct AWSSignature: Sendable, Hashable {
  package var accessKey: String
  package var secret: String
  package var region: String
  package var service: String

  /// Makes the material of a signature.
  package init(accessKey: String, secret: String, region: String, service: String) {
    self.accessKey = accessKey
    self.secret = secret
    self.region = region
    self.service = service
  }
}

/// A file that the body of a response is to be written to (PK-90).
package struct SaveTarget: Sendable, Hashable {
  /// The absolute path.
  package var path: String
  /// Whether a file that is there is replaced; else the name gets a number.
  package var overwrites: Bool
  /// Whether the author wrote an absolute path.
  package var isAbsolute: Bool

  /// Makes a target.
  package init(path: String, overwrites: Bool, isAbsolute: Bool) {
    self.path = path
    self.overwrites = overwrites
    self.isAbsolute = isAbsolute
  }
}

/// How one request is carried out, apart from its bytes.
package struct TransferOptions: Sendable, Hashable {
  /// The HTTP version asked for.
  package var httpVersion = HTTPVersion.automatic
  /// Whether redirects are followed (PK-84).
  package var followsRedirects = true
  /// Whether a POST stays one after 301 and 302, where browsers send a GET.
  package var keepsMethod = false
  /// How many redirects are followed before the run fails with `too-many-redirects`.
  package var redirectLimit = 10
  /// Time for DNS, connect and TLS together, in milliseconds (PK-87).
  package var connectTimeoutMilliseconds = 30_000
  /// Time without a single byte either way, in milliseconds (PK-87); 0 for none.
  package var inactivityTimeoutMilliseconds = 60_000
  /// Time for the whole transfer, in milliseconds; `nil` for none.
  package var totalTimeoutMilliseconds: Int?
  /// Whether a stream is received however long it is silent (`@keepStreaming`).
  package var keepsStream = false
  /// Whether the server's certificate must be valid (PK-86).
  package var verifiesTLS = true
  /// A file of certificate authorities in PEM form; `nil` for the system's.
  package var certificateAuthorityFile: String?
  /// The file of the client's certificate in PEM form; `nil` for none (PK-86).
  package var clientCertificateFile: String?
  /// The file of its private key, where the certificate's file doesn't hold it.
  package var clientKeyFile: String?
  /// The passphrase of the private key.
  package var clientKeyPassphrase: String?
  /// Where files of the body, certificates and keys have to lie; `nil` for anywhere.
  package var fileBoundary: FileBoundary?
  /// The proxy's URL, empty for none; `nil` leaves the choice to the environment variables (PK-85).
  package var proxy: String?
  /// The hosts that are reached without the proxy, with commas between; `nil` leaves them to the
  /// environment variables.
  package var proxyExceptions: String?
  /// Credentials that libcurl makes the `Authorization` of; `nil` where it is a header like others.
  package var authentication: Authentication?
  /// Whether cookies are sent from and stored in the jar (PK-83).
  package var usesCookieJar = true
  /// Whether the cookies of the `Cookie` header go into the jar, too.
  package var cookieHeaderFeedsJar = false

  /// The certificate with what belongs to it; setting it to `nil` takes all away.
  package var clientCertificate: ClientIdentity? {
    get {
      clientCertificateFile.map {
        ClientIdentity(certificate: $0, key: clientKeyFile, passphrase: clientKeyPassphrase)
      }
    }
    set {
      clientCertificateFile = newValue?.certificate
      clientKeyFile = newValue?.key
      clientKeyPassphrase = newValue?.passphrase
    }
  }

  /// Makes the default options.
  package init() {}
}

/// The folder in which the files of a request have to lie, links followed.
package struct FileBoundary: Sendable, Hashable {
  /// The absolute path of the folder.
  package var root: String
  /// Whether the file of authorities is the user's own, which may lie anywhere.
  package var hasFreeAuthority: Bool

  /// Makes a boundary.
  package init(root: String, hasFreeAuthority: Bool = false) {
    self.root = root
    self.hasFreeAuthority = hasFreeAuthority
  }
}

/// A client's certificate: what it proves to a server who it is with.
package struct ClientIdentity: Sendable, Hashable {
  package var certificate: String
  package var key: String?
  package var passphrase: String?
}

/// A request ready to be sent: one hop, resolved, with an absolute URL.
package struct RequestSpec: Sendable, Hashable {
  /// The method, verbatim.
  package var method: String
  /// The absolute URL, percent-encoded, without fragment and user information (PK-69).
  package var url: String
  /// The request target where it differs from what the URL says, such as `*` for OPTIONS.
  package var requestTarget: String?
  /// The header fields in the order to send; `Content-Length` is never among them.
  package var headers: HeaderFields
  /// The body; empty for none.
  package var body: [BodyChunk]
  /// How the request is carried out.
  package var options: TransferOptions

  /// Makes a request.
  package init(
    method: String, url: String, requestTarget: String? = nil, headers: HeaderFields = [],
    body: [BodyChunk] = [], options: TransferOptions = TransferOptions()
  ) {
    self.method = method
    self.url = url
    self.requestTarget = requestTarget
    self.headers = headers
    self.body = body
    self.options = options
  }
}
