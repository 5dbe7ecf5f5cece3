// The body of a request as libcurl asks for it: piece by piece, files straight from the disk.

import PostKitHTTP
import PostKitSupport

/// Reads a body in order and can go back. It blocks on files, so it belongs to the loop's thread.
final class BodySource {
  private enum Piece {
    case bytes([UInt8])
    case file(path: String, size: Int)

    var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .file(_, let size): size
      }
    }
  }

  /// The number of bytes of the whole body.
  let size: Int
  /// Why reading stopped, where it did.
  private(set) var failure: Failure?
  /// The bytes that were read, as far as they are kept; see `sentBody`.
  private var kept: [UInt8] = []
  private let keepsBytes: Bool
  private let pieces: [Piece]
  private let roots: [String]?
  private var piece = 0
  private var offset = 0
  private var file: OpenFile?

  /// Looks at every file, so that the size is known; fails where one can't be read, or lies outside
  /// of a boundary.
  init(_ chunks: [BodyChunk], within boundary: FileBoundary? = nil) throws(Failure) {
    let roots = boundary.map { [$0.root] }
    var pieces: [Piece] = []
    for chunk in chunks {
      switch chunk {
      case .bytes(let bytes):
        if !bytes.isEmpty { pieces.append(.bytes(bytes)) }
      case .file(let path):
        do throws(FileFailure) {
          pieces.append(.file(path: path, size: try OpenFile(path, inside: roots).size))
        } catch {
          throw Failure(.fileNotFound, "The body can't be sent: \(error)")
        }
      }
    }
    (self.pieces, self.roots) = (pieces, roots)
    size = pieces.reduce(0) { $0 + $1.count }
    // Within a boundary a path may lead elsewhere once the body is sent.
    keepsBytes = pieces.count > 1 || roots != nil && size <= Limits.responseMemoryBytes
  }

  /// All bytes where no file is among them and they fit into `limit`; else `nil`.
  func bytes(limit: Int) -> [UInt8]? {
    guard size <= limit else { return nil }
    var result: [UInt8] = []
    for piece in pieces {
      guard case .bytes(let bytes) = piece else { return nil }
      if result.isEmpty { result = bytes } else { result.append(contentsOf: bytes) }
    }
    return result
  }

  /// What was sent: the bytes, the one file, or of a mixture the bytes that were read, at most
  /// `Limits.responseMemoryBytes`.
  var sentBody: BodyContent {
    switch pieces.first {
    case nil: return .empty
    case .bytes(let bytes) where pieces.count == 1: return .bytes(bytes)
    case .file(let path, let size) where pieces.count == 1 && !keepsBytes:
      return .file(path: path, size: size)
    default: return .bytes(bytes(limit: Limits.responseMemoryBytes) ?? kept)
    }
  }

  /// Fills a buffer as far as there are bytes; 0 at the end, `nil` after a failure.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    var filled = 0
    while filled < buffer.count, piece < pieces.count, failure == nil {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = readPiece(into: room)
      filled += count
      offset += count
      if offset == pieces[piece].count { nextPiece() }
    }
    guard failure == nil else { return nil }
    if keepsBytes, kept.count < Limits.responseMemoryBytes {
      kept.append(contentsOf: buffer[..<min(filled, Limits.responseMemoryBytes - kept.count)])
    }
    return filled
  }

  /// The SHA-256 of the whole body; afterwards reading begins at the start.
  func hexDigest() throws(Failure) -> String {
    var hash = SHA256()
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(into: $0) }
      if let failure { throw failure }
      guard let count, count > 0 else { break }
      buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    _ = seek(to: 0)
    return SHA256.hex(hash.finish())
  }

  /// Goes to a place counted from the start, because libcurl has to send the body once more.
  func seek(to target: Int) -> Bool {
    guard (0...size).contains(target), failure == nil else { return false }
    file = nil
    piece = 0
    offset = target
    while piece < pieces.count, offset >= pieces[piece].count {
      offset -= pieces[piece].count
      piece += 1
    }
    kept.removeLast(max(0, kept.count - target))
    return true
  }

  private func readPiece(into room: UnsafeMutableRawBufferPointer) -> Int {
    switch pieces[piece] {
    case .bytes(let bytes):
      let count = min(room.count, bytes.count - offset)
      bytes.withUnsafeBytes {
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + count)]))
      }
      return count
    case .file(let path, let size):
      guard let file = openFile(path) else { return 0 }
      // A file that has grown is sent as long as it was announced.
      let wanted = min(room.count, size - offset)
      let count = file.read(
        into: UnsafeMutableRawBufferPointer(rebasing: room[..<wanted]), at: offset)
      if count > 0 || wanted == 0 { return max(count, 0) }
      failure = Failure(
        .fileNotFound,
        "\(path) became shorter while PostKit sent it. Send again when nothing writes to it.")
      return 0
    }
  }

  private func openFile(_ path: String) -> OpenFile? {
    if let file { return file }
    do throws(FileFailure) {
      file = try OpenFile(path, inside: roots)
    } catch {
      failure = Failure(.fileNotFound, "The body can't be sent: \(error)")
    }
    return file
  }

  private func nextPiece() {
    file = nil
    piece += 1
    offset = 0
  }
}
