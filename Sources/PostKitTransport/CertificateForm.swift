// How the file of a certificate or key is to be read: its bytes tell, its name may not.

import PostKitHTTP
import PostKitSupport

/// A certificate or key as libcurl is to have it.
struct CertificateFile {
  /// Its form.
  let form: CertificateForm
  /// Its path for libcurl to open. Within a boundary its bytes, as the path may lead elsewhere when
  /// libcurl opens it.
  let value: CurlOptions.Value

  /// Looks at a file. A library that `takesBytes` not gets the path without links.
  init(_ path: String, within boundary: FileBoundary?, takesBytes: Bool) throws(FileFailure) {
    let file = try OpenFile(path, inside: boundary.map { [$0.root] })
    guard boundary != nil, takesBytes else {
      var head = [UInt8](repeating: 0, count: 16)
      let count = head.withUnsafeMutableBytes { file.read(into: $0, at: 0) }
      form = CertificateForm(head: Array(head.prefix(max(count, 0))))
      value = .text(file.realPath)
      return
    }
    let bytes = try file.bytes(limit: Limits.sourceFileBytes)
    form = CertificateForm(head: Array(bytes.prefix(16)))
    value = .bytes(bytes)
  }
}

/// The form of a file, in libcurl's word.
enum CertificateForm: String, Sendable {
  case pem = "PEM"
  case der = "DER"
  case pkcs12 = "P12"

  /// Reads the beginning of ASN.1: a sequence that begins with a number, or with a sequence where
  /// it is long. That of PKCS#12 begins with the version 3 (RFC 7292, section 4); what is no ASN.1
  /// is text.
  init(head: [UInt8]) {
    guard head.count > 8, head[0] == 0x30 else {
      self = .pem
      return
    }
    let isLong = head[1] >= 0x80
    let content = head.dropFirst(isLong ? 2 + Int(head[1] & 0x7F) : 2)
    if content.starts(with: [0x02, 0x01, 0x03]) {
      self = .pkcs12
    } else {
      self = content.first == 0x02 || isLong && content.first == 0x30 ? .der : .pem
    }
  }
}
