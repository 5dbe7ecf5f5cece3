// Which proxy a request goes through (PK-85).

import CCurl
import PostKitHTTP

extension CurlOptions {
  /// Sets the proxy of the request, else that of the environment, else none: libcurl is not left to
  /// look for one, as it does not know `HTTP_PROXY` in capitals.
  mutating func setProxy(
    _ spec: RequestSpec, _ environment: (String) -> String?
  ) throws(Failure) {
    let isSecure = Endpoint(url: spec.url)?.scheme == "https"
    let found = spec.options.proxy.map { ("", $0) }
    let (variable, text) =
      found ?? CurlOptions.proxy(forTLS: isSecure, environment) ?? ("", "")
    guard !text.isEmpty else { return set(CURLOPT_PROXY, .text("")) }
    guard let proxy = ProxyURL(text) else {
      let place = variable.isEmpty ? "" : "In the environment variable \(variable): "
      throw Failure(.usage, place + ProxyURL.mistake(text))
    }
    set(CURLOPT_PROXY, .text(proxy.url))
    if proxy.speaksHTTP { separateProxyHeaders() }
    if let exceptions = spec.options.proxyExceptions { set(CURLOPT_NOPROXY, .text(exceptions)) }
  }

  /// The variable that names the proxy, and its value. `HTTP_PROXY` may come from a header of the
  /// same name where a web server has started the program by CGI, which is told by its method.
  static func proxy(
    forTLS isSecure: Bool, _ environment: (String) -> String?
  ) -> (variable: String, text: String)? {
    let isCGI = environment("REQUEST_METHOD") != nil
    let plain = isCGI ? ["http_proxy"] : ["http_proxy", "HTTP_PROXY"]
    let own = isSecure ? ["https_proxy", "HTTPS_PROXY"] : plain
    for name in own + ["all_proxy", "ALL_PROXY"] {
      if let value = environment(name), !value.isEmpty { return (name, value) }
    }
    return nil
  }
}
