// Events of libyaml to the nodes of a tree, in one pass.

import CYAML
import PostKitJSON

/// Reads the first document of a text. Merge keys are marked, and applied afterwards.
struct YAMLReading {
  /// The bit of a place that says that a name is a merge key.
  static let mergeMark: UInt32 = 1 << 31

  /// What is known of an anchor.
  private struct Anchor {
    var node: Int
    /// How many lists and mappings are in each other in it.
    var height = 0
    /// Whether what it names has not ended yet.
    var isOpen = false
    /// A scalar as it is written: the name of a member is a text, its alias as a value need not be.
    var scalar: WrittenScalar?
  }

  /// A list or mapping that is open.
  private struct Frame {
    var node: Int
    var isMapping: Bool
    var isAtKey: Bool
    var height = 1
    var anchor: String?
  }

  /// A scalar as the text has it.
  struct WrittenScalar {
    var text: [UInt8]
    var isPlain: Bool
    var tag: String?
  }

  var builder = JSONTreeBuilder()
  /// The byte of the source at which each node begins.
  var places: [UInt32] = []
  var notes: YAMLNotes
  private(set) var hasMerges = false

  private let source: UnsafeBufferPointer<UInt8>
  private let limits: YAMLLimits
  /// What stands before the text: a byte order mark.
  private let skipped: Int
  private var cursor = CharacterCursor()
  private var frames: [Frame] = []
  private var anchors: [String: Anchor] = [:]
  private var nodeBudget: Int
  private let byteBudget: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, limits: YAMLLimits) {
    skipped = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    source = UnsafeBufferPointer(rebasing: bytes[skipped...])
    self.limits = limits
    nodeBudget = limits.nodes
    byteBudget = limits.output(bytes.count)
    notes = YAMLNotes(limit: limits.notes)
    builder.reserve(bytes: bytes.count)
    places.reserveCapacity(bytes.count / 16)
  }

  /// Reads the first document and looks whether there is another one.
  mutating func readAll() throws(YAMLProblem) {
    guard let reader = postkit_yaml_open(source.baseAddress, source.count) else {
      throw YAMLProblem(problem: .noMemory, offset: 0)
    }
    defer { postkit_yaml_close(reader) }
    var event = postkit_yaml_event()
    var documents = 0
    // Each event is judged before the next is asked for: libyaml takes a minute to read a
    // megabyte of brackets to its end.
    while true {
      postkit_yaml_next(reader, &event)
      switch event.kind {
      case POSTKIT_YAML_END:
        if documents == 0 {
          builder.null()
          places.append(0)
        }
        return
      case POSTKIT_YAML_DOCUMENT_START:
        documents += 1
        guard documents == 1 else {
          let offset = offset(event)
          return notes.tell(offset, "Only the first of several documents is read.")
        }
      case POSTKIT_YAML_DOCUMENT_END: break
      default: try read(event)
      }
    }
  }

  private mutating func read(_ event: postkit_yaml_event) throws(YAMLProblem) {
    let offset = offset(event)
    switch event.kind {
    case POSTKIT_YAML_ALIAS: try alias(event, offset)
    case POSTKIT_YAML_SCALAR: try scalar(event, offset)
    case POSTKIT_YAML_SEQUENCE_START: try begin(isMapping: false, event, offset)
    case POSTKIT_YAML_MAPPING_START: try begin(isMapping: true, event, offset)
    case POSTKIT_YAML_SEQUENCE_END, POSTKIT_YAML_MAPPING_END: end()
    case POSTKIT_YAML_BAD_TEXT:
      let reading = event.context.map { String(cString: $0) }
      throw YAMLProblem(problem: .badText(text(event), reading: reading), offset: offset)
    case POSTKIT_YAML_BAD_BYTE:
      throw YAMLProblem(problem: .badByte(text(event)), offset: skipped + event.offset)
    default: throw YAMLProblem(problem: .noMemory, offset: offset)
    }
  }

  private mutating func offset(_ event: postkit_yaml_event) -> Int {
    skipped + cursor.offset(of: event.character, in: source)
  }

  private func text(_ event: postkit_yaml_event) -> String {
    String(decoding: buffer(event), as: UTF8.self)
  }

  private func buffer(_ event: postkit_yaml_event) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: event.text, count: event.length)
  }

  /// Counts a node, which the builder is about to make.
  private mutating func place(_ offset: Int, mark: UInt32 = 0) throws(YAMLProblem) {
    guard places.count < nodeBudget else {
      throw YAMLProblem(problem: .tooManyValues, offset: offset)
    }
    places.append(UInt32(offset) | mark)
  }

  /// Whether the next node is the name of a member; if so, what follows is its value.
  private mutating func takesKey() -> Bool {
    guard let frame = frames.last, frame.isMapping else { return false }
    frames[frames.count - 1].isAtKey.toggle()
    return frame.isAtKey
  }

  private mutating func begin(
    isMapping: Bool, _ event: postkit_yaml_event, _ offset: Int
  ) throws(YAMLProblem) {
    if takesKey() { throw YAMLProblem(problem: .keyIsNoScalar, offset: offset) }
    guard frames.count < limits.depth else {
      throw YAMLProblem(problem: .tooDeep, offset: offset)
    }
    if let tag = event.tag { tellTag(String(cString: tag), isMapping: isMapping, offset) }
    try place(offset)
    let node = builder.nodeCount
    let anchor = event.anchor.map { String(cString: $0) }
    if let anchor { anchors[anchor] = Anchor(node: node, isOpen: true) }
    frames.append(Frame(node: node, isMapping: isMapping, isAtKey: isMapping, anchor: anchor))
    if isMapping { builder.beginObject() } else { builder.beginArray() }
  }

  private mutating func end() {
    let frame = frames.removeLast()
    builder.end()
    if let anchor = frame.anchor, anchors[anchor]?.node == frame.node {
      anchors[anchor] = Anchor(node: frame.node, height: frame.height)
    }
    if frame.isMapping { tellDuplicates(in: frame.node) }
    raise(by: frame.height)
  }

  /// Says that the innermost list or mapping has one of that height in it.
  private mutating func raise(by height: Int) {
    guard let last = frames.indices.last else { return }
    frames[last].height = max(frames[last].height, height + 1)
  }

  private mutating func scalar(
    _ event: postkit_yaml_event, _ offset: Int
  ) throws(YAMLProblem) {
    guard event.length <= limits.scalarBytes else {
      throw YAMLProblem(problem: .scalarTooLong, offset: offset)
    }
    let isPlain = event.style == CChar(bitPattern: UInt8(ascii: ":"))
    let tag = event.tag.map { String(cString: $0) }
    if let name = event.anchor {
      anchors[String(cString: name)] = Anchor(
        node: builder.nodeCount,
        scalar: WrittenScalar(text: Array(buffer(event)), isPlain: isPlain, tag: tag))
    }
    try scalar(buffer(event), isPlain: isPlain, tag: tag, offset)
  }

  private mutating func scalar(
    _ text: UnsafeBufferPointer<UInt8>, isPlain: Bool, tag: String?, _ offset: Int
  ) throws(YAMLProblem) {
    guard takesKey() else {
      try place(offset)
      return value(text, isPlain: isPlain, tag: tag, offset)
    }
    let isMerge =
      tag == "tag:yaml.org,2002:merge"
      || isPlain && tag == nil && YAMLScalar.equals(text, "<<")
    if isMerge { hasMerges = true }
    try place(offset, mark: isMerge ? Self.mergeMark : 0)
    builder.key(text)
  }

  private mutating func alias(
    _ event: postkit_yaml_event, _ offset: Int
  ) throws(YAMLProblem) {
    let name = event.anchor.map { String(cString: $0) } ?? ""
    guard let anchor = anchors[name] else {
      throw YAMLProblem(problem: .unknownAlias(name), offset: offset)
    }
    guard !anchor.isOpen else { throw YAMLProblem(problem: .cycle(name), offset: offset) }
    let size = builder.size(ofValueAt: anchor.node)
    guard places.count + size.nodes <= nodeBudget, builder.byteCount + size.bytes <= byteBudget
    else { throw YAMLProblem(problem: .expansion, offset: offset) }
    if let scalar = anchor.scalar {
      // The words of the scalar are not resolved twice in notes: those were told at the anchor.
      let told = notes
      let result: Result<Void, YAMLProblem> = scalar.text.withUnsafeBufferPointer { text in
        do throws(YAMLProblem) {
          return .success(
            try self.scalar(text, isPlain: scalar.isPlain, tag: scalar.tag, offset))
        } catch {
          return .failure(error)
        }
      }
      notes = told
      return try result.get()
    }
    if takesKey() { throw YAMLProblem(problem: .keyIsNoScalar, offset: offset) }
    guard frames.count + anchor.height <= limits.depth else {
      throw YAMLProblem(problem: .tooDeep, offset: offset)
    }
    builder.copyValue(at: anchor.node)
    for at in anchor.node..<anchor.node + size.nodes { places.append(places[at]) }
    raise(by: anchor.height)
  }

  private mutating func tellDuplicates(in node: Int) {
    for index in builder.duplicateNames(inObjectAt: node)
    where places[index] & Self.mergeMark == 0 {
      let name = builder.string(at: index)
      notes.tell(
        Int(places[index]),
        "`\(YAMLNotes.shown(name))` stands here more than once; the last one counts.")
    }
  }
}
