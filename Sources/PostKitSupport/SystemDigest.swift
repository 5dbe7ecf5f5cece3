// SHA-512 and its kin by a library of the system, opened when the first digest is asked for.

import Libc

/// Hash functions that few need: whatever cryptographic library libcurl brought is at hand.
package enum SystemDigest: Sendable, Hashable {
  case sha512, sha384, sha1, md5

  /// The digest of bytes at hand; `nil` where the system has no library for it.
  package func digest(_ bytes: [UInt8]) -> [UInt8]? {
    digest(bytes, libraries: SystemDigest.libraries)
  }

  /// The digest by the first of some libraries that the system has.
  func digest(_ bytes: [UInt8], libraries: [Library]) -> [UInt8]? {
    for library in libraries {
      guard let handle = dlopen(library.name, RTLD_LAZY | RTLD_LOCAL) else { continue }
      // Never closed: the functions of the library are kept for the next digest.
      if let digest = digest(bytes, library, handle) { return digest }
    }
    return nil
  }

  private var size: Int {
    switch self {
    case .sha512: 64
    case .sha384: 48
    case .sha1: 20
    case .md5: 16
    }
  }

  /// The name of the function of OpenSSL.
  private var name: String {
    switch self {
    case .sha512: "SHA512"
    case .sha384: "SHA384"
    case .sha1: "SHA1"
    case .md5: "MD5"
    }
  }

  /// The number of the algorithm in `gnutls_digest_algorithm_t`.
  private var gnuTLSNumber: Int32 {
    switch self {
    case .sha512: 8
    case .sha384: 7
    case .sha1: 3
    case .md5: 2
    }
  }

  /// How the functions of a library are called.
  enum Style: Sendable, Hashable { case openSSL, commonCrypto, gnuTLS }

  /// A library that has hash functions.
  struct Library: Sendable, Hashable {
    var name: String
    var style: Style
  }

  /// The libraries that are looked for, in order.
  static let libraries = [
    Library(name: "libcrypto.so.3", style: .openSSL),
    Library(name: "libcrypto.so.1.1", style: .openSSL),
    Library(name: "libgnutls.so.30", style: .gnuTLS),
    Library(name: "/usr/lib/libSystem.B.dylib", style: .commonCrypto),
  ]

  /// `SHA512(bytes, count, digest)` of OpenSSL.
  private typealias OpenSSLDigest =
    @convention(c) (UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  /// `CC_SHA512(bytes, count, digest)` of Darwin.
  private typealias CommonDigest =
    @convention(c) (UnsafeRawPointer?, UInt32, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  /// `gnutls_hash_fast(algorithm, bytes, count, digest)`.
  private typealias GnuTLSDigest =
    @convention(c) (Int32, UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) -> Int32

  private func digest(
    _ bytes: [UInt8], _ library: Library, _ handle: UnsafeMutableRawPointer
  ) -> [UInt8]? {
    let symbol =
      switch library.style {
      case .openSSL: name
      case .commonCrypto: "CC_" + name
      case .gnuTLS: "gnutls_hash_fast"
      }
    guard let address = dlsym(handle, symbol) else { return nil }
    var result = [UInt8](repeating: 0, count: size)
    let isDone = bytes.withUnsafeBytes { input in
      result.withUnsafeMutableBytes { output in
        switch library.style {
        case .openSSL:
          let call = unsafeBitCast(address, to: OpenSSLDigest.self)
          return call(input.baseAddress, input.count, output.baseAddress) != nil
        case .commonCrypto:
          guard let count = UInt32(exactly: input.count) else { return false }
          let call = unsafeBitCast(address, to: CommonDigest.self)
          return call(input.baseAddress, count, output.baseAddress) != nil
        case .gnuTLS:
          let call = unsafeBitCast(address, to: GnuTLSDigest.self)
          return call(gnuTLSNumber, input.baseAddress, input.count, output.baseAddress) == 0
        }
      }
    }
    return isDone ? result : nil
  }
}
