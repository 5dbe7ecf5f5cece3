// The mark that some programs write before a text in UTF-8.

extension Collection<UInt8> {
  /// How many bytes a UTF-8 byte order mark takes at the start: 3 or 0 (PK-1).
  package var byteOrderMarkLength: Int { starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }
}
