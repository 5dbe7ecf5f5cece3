// One easy handle of libcurl: its lifetime, its callbacks and the pointers between C and Swift.

import CCurl
import PostKitHTTP

/// An easy handle that is used for one transfer after another. It belongs to the loop's thread,
/// which also runs the callbacks, always inside a call of libcurl's multi interface.
final class EasyHandle {
  /// libcurl's handle.
  let curl: UnsafeMutableRawPointer
  /// Receives the callbacks; set from `prepare` to `release`.
  private(set) var receiver: ActiveTransfer?
  private let errorText: UnsafeMutablePointer<CChar>
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private var proxyHeaderList: UnsafeMutablePointer<curl_slist>?
  private var callbacks: postkit_curl_callbacks?

  /// A new handle; `nil` where libcurl has no memory for one.
  init?() {
    guard let curl = postkit_curl_easy_new() else { return nil }
    self.curl = curl
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    postkit_curl_list_free(headerList)
    postkit_curl_list_free(proxyHeaderList)
    postkit_curl_easy_free(curl)
    errorText.deallocate()
  }

  /// The handle that libcurl reports as done.
  static func owner(of curl: UnsafeMutableRawPointer) -> EasyHandle? {
    postkit_curl_get_private(curl).map {
      Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Gets ready for a transfer; the loop keeps the handle alive until `release`.
  func prepare(
    _ receiver: ActiveTransfer, _ options: CurlOptions, share: UnsafeMutableRawPointer?
  ) throws(Failure) {
    self.receiver = receiver
    // Unretained: the loop holds the handle for as long as libcurl may call.
    var callbacks = EasyHandle.callbacks(Unmanaged.passUnretained(self).toOpaque())
    postkit_curl_set_callbacks(curl, &callbacks)
    errorText[0] = 0
    postkit_curl_set_pointer(curl, CURLOPT_ERRORBUFFER, errorText)
    for (option, value) in options.settings { try set(option, value) }
    setBody(options.body)
    setLines(options.headerLines, CURLOPT_HTTPHEADER, &headerList)
    setLines(options.proxyHeaderLines, CURLOPT_PROXYHEADER, &proxyHeaderList)
    if let share { useCookies(of: share) }
    if let cookies = options.cookies {
      _ = cookies.withBytes { postkit_curl_set_text(curl, CURLOPT_COOKIE, $0) }
    }
  }

  /// Whether the handle has cookies of its own, which no reset takes away.
  private(set) var hasOwnCookies = false

  /// Takes part in a jar.
  func useCookies(of share: UnsafeMutableRawPointer) {
    postkit_curl_set_pointer(curl, CURLOPT_SHARE, share)
    // An empty file name turns the cookie engine on.
    postkit_curl_set_text(curl, CURLOPT_COOKIEFILE, "")
  }

  /// Leaves the jar and uses these cookies instead.
  func useCookies(_ cookies: [CookieLine]) {
    postkit_curl_set_pointer(curl, CURLOPT_SHARE, nil)
    hasOwnCookies = true
    addCookies(cookies.map(\.text))
  }

  /// Adds cookies to those that the handle uses.
  func addCookies(_ lines: [String]) {
    for line in lines { postkit_curl_set_text(curl, CURLOPT_COOKIELIST, line) }
  }

  /// The cookies that the handle uses.
  var cookies: [CookieLine] {
    let list = postkit_curl_get_cookies(curl)
    defer { postkit_curl_list_free(list) }
    var result: [CookieLine] = []
    var entry = list
    while let node = entry?.pointee {
      if let line = CookieLine(String(cString: node.data)) { result.append(line) }
      entry = node.next
    }
    return result
  }

  /// Makes the handle fit for the next transfer.
  func release() {
    receiver = nil
    // A reset forgets the list of cookie files without freeing it.
    postkit_curl_set_text(curl, CURLOPT_COOKIEFILE, nil)
    // A reset leaves the share, which may be gone before the handle is used again.
    postkit_curl_set_pointer(curl, CURLOPT_SHARE, nil)
    postkit_curl_easy_reset(curl)
    postkit_curl_list_free(headerList)
    postkit_curl_list_free(proxyHeaderList)
    (headerList, proxyHeaderList) = (nil, nil)
  }

  /// libcurl's words about what went wrong; empty where it said nothing.
  var errorDetail: String { String(cString: errorText) }

  /// Address and port of the peer; empty without a connection.
  var remoteAddress: String {
    guard let text = postkit_curl_get_text(curl, CURLINFO_PRIMARY_IP), text[0] != 0 else {
      return ""
    }
    return Endpoint.name(
      host: String(cString: text), port: postkit_curl_get_number(curl, CURLINFO_PRIMARY_PORT))
  }

  /// Where the time went.
  var timings: Timings {
    var timings = Timings()
    timings.nameLookup = Int64(postkit_curl_get_size(curl, CURLINFO_NAMELOOKUP_TIME_T))
    timings.connect = Int64(postkit_curl_get_size(curl, CURLINFO_CONNECT_TIME_T))
    timings.tls = Int64(postkit_curl_get_size(curl, CURLINFO_APPCONNECT_TIME_T))
    timings.firstByte = Int64(postkit_curl_get_size(curl, CURLINFO_STARTTRANSFER_TIME_T))
    timings.total = Int64(postkit_curl_get_size(curl, CURLINFO_TOTAL_TIME_T))
    return timings
  }

  /// Body bytes that were sent.
  var uploadedBytes: Int { Int(postkit_curl_get_size(curl, CURLINFO_SIZE_UPLOAD_T)) }

  /// Body bytes that came in, before content codings were removed.
  var downloadedBytes: Int { Int(postkit_curl_get_size(curl, CURLINFO_SIZE_DOWNLOAD_T)) }

  private func set(_ option: CURLoption, _ value: CurlOptions.Value) throws(Failure) {
    let code =
      switch value {
      case .number(let number): postkit_curl_set_number(curl, option, number)
      case .text(let text): text.withBytes { postkit_curl_set_text(curl, option, $0) }
      case .bytes(let bytes):
        bytes.withUnsafeBytes { postkit_curl_set_bytes(curl, option, $0.baseAddress, $0.count) }
      case .null: postkit_curl_set_text(curl, option, nil)
      }
    // Unknown options are those that an older libcurl lacks; none of them changes what is sent.
    if code == CURLE_OK || code == CURLE_UNKNOWN_OPTION || code == CURLE_NOT_BUILT_IN { return }
    throw Failure(
      .protocol,
      "libcurl can't be set up for this request (option \(option.rawValue): "
        + "\(String(cString: postkit_curl_error_text(code)))). Check its proxy and HTTP version.")
  }

  /// Hands a list of lines over; libcurl needs it until the transfer is over.
  private func setLines(
    _ lines: [String], _ option: CURLoption, _ list: inout UnsafeMutablePointer<curl_slist>?
  ) {
    for line in lines {
      list = line.withBytes { postkit_curl_list_append(list, $0) } ?? list
    }
    if list != nil { postkit_curl_set_pointer(curl, option, list) }
  }

  private func setBody(_ body: CurlOptions.Body) {
    switch body {
    case .none: break
    case .copied(let bytes):
      // The size goes first: without it libcurl would look for a zero byte.
      postkit_curl_set_size(curl, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
      bytes.withUnsafeBytes {
        var none: UInt8 = 0
        let pointer = $0.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) }
        withUnsafeMutableBytes(of: &none) { none in
          _ = postkit_curl_set_pointer(curl, CURLOPT_COPYPOSTFIELDS, pointer ?? none.baseAddress)
        }
      }
    case .streamed(let size):
      postkit_curl_set_size(curl, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(size ?? -1))
      // Large pieces: fewer calls and fewer writes to the socket.
      postkit_curl_set_number(curl, CURLOPT_UPLOAD_BUFFERSIZE, 256 << 10)
    }
  }

  private static func callbacks(_ context: UnsafeMutableRawPointer) -> postkit_curl_callbacks {
    postkit_curl_callbacks(
      context: context,
      head: { bytes, size, count, context in
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        let isTaken = EasyHandle.receiver(context)?.receivedLine(line) ?? false
        // Any other number than that of the bytes ends the transfer.
        return isTaken ? size * count : 0
      },
      body: { bytes, size, count, context in
        let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
        switch EasyHandle.receiver(context)?.receivedBody(chunk) {
        case .taken: return size * count
        case .later: return Int(CURL_WRITEFUNC_PAUSE)
        case .refused, nil: return 0
        }
      },
      supply: { buffer, size, count, context in
        let room = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
        return EasyHandle.receiver(context)?.supplyBody(room) ?? Int(CURL_READFUNC_ABORT)
      },
      seek: { context, offset, origin in
        let isDone = origin == 0 && EasyHandle.receiver(context)?.seekBody(to: Int(offset)) ?? false
        return isDone ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
      },
      trace: { _, kind, bytes, count, context in
        let receiver = EasyHandle.receiver(context)
        switch kind {
        case CURLINFO_HEADER_OUT:
          receiver?.sentHead(UnsafeRawBufferPointer(start: bytes, count: count))
        case CURLINFO_DATA_OUT: receiver?.touch()
        // What comes is judged where it is taken apart. Records of TLS tell nothing: an answer to a
        // ping of HTTP/2 is one of those that go out.
        default: break
        }
        return 0
      },
      connected: { context, remoteAddress, _, remotePort, _ in
        if let remoteAddress {
          let address = Endpoint.name(host: String(cString: remoteAddress), port: Int(remotePort))
          EasyHandle.receiver(context)?.connected(address)
        }
        return CURL_PREREQFUNC_OK
      })
  }

  private static func receiver(_ context: UnsafeMutableRawPointer) -> ActiveTransfer? {
    Unmanaged<EasyHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.receiver }
  }
}

extension String {
  /// Lends the bytes that the text stands for, as C has them.
  fileprivate func withBytes<Result>(_ use: (UnsafePointer<CChar>) -> Result) -> Result {
    guard keepsBytes else { return withCString(use) }
    let bytes = keptBytes.map { CChar(bitPattern: $0) } + [0]
    return bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map(use) ?? withCString(use)
    }
  }
}
