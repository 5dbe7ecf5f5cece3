// Moves a tree: after an implicit split the ranges must count from the new block's start.

extension Range<Int> {
  /// The range, moved.
  fileprivate func moved(by distance: Int) -> Range<Int> {
    lowerBound + distance..<upperBound + distance
  }
}

extension BlockSyntax {
  /// Moves every range.
  mutating func move(by distance: Int) {
    func moved(_ range: Range<Int>) -> Range<Int> { range.moved(by: distance) }
    if let old = separator {
      separator = SeparatorSyntax(
        marker: moved(old.marker), title: old.title.map(moved), isIndented: old.isIndented)
    }
    for index in metadata.indices {
      metadata[index].line = moved(metadata[index].line)
      metadata[index].key = moved(metadata[index].key)
      metadata[index].value = moved(metadata[index].value)
    }
    for index in variables.indices {
      variables[index].line = moved(variables[index].line)
      variables[index].nameRange = moved(variables[index].nameRange)
      variables[index].value = moved(variables[index].value)
    }
    request?.move(by: distance)
    if hasExtras { extras.move(by: distance) }
    for index in references.indices {
      references[index].range = moved(references[index].range)
      references[index].inner = moved(references[index].inner)
    }
    for index in problems.indices { problems[index].range = moved(problems[index].range) }
  }
}

extension BlockExtras {
  fileprivate mutating func move(by distance: Int) {
    func moved(_ range: Range<Int>) -> Range<Int> { range.moved(by: distance) }
    for index in directives.indices {
      directives[index].line = moved(directives[index].line)
      directives[index].argument = moved(directives[index].argument)
      directives[index].overrides = directives[index].overrides.map {
        (moved($0.name), moved($0.value))
      }
    }
    for index in fragments.indices {
      fragments[index].name = moved(fragments[index].name)
      fragments[index].range = moved(fragments[index].range)
      fragments[index].path = fragments[index].path.map(moved)
    }
    for index in scripts.indices {
      scripts[index].range = moved(scripts[index].range)
      scripts[index].text = scripts[index].text.map(moved)
      scripts[index].path = scripts[index].path.map(moved)
    }
    for index in saves.indices { saves[index].move(by: distance) }
    for index in responseReferences.indices { responseReferences[index].move(by: distance) }
    for index in assertions.indices {
      assertions[index].line = moved(assertions[index].line)
      assertions[index].text = moved(assertions[index].text)
    }
    inlineResponse = inlineResponse.map(moved)
  }
}

extension RequestSyntax {
  fileprivate mutating func move(by distance: Int) {
    func moved(_ range: Range<Int>) -> Range<Int> { range.moved(by: distance) }
    line = moved(line)
    method = method.map(moved)
    target = target.mapped(moved)
    version = version.map(moved)
    curl = curl.map(moved)
    for index in headers.indices {
      headers[index].line = moved(headers[index].line)
      headers[index].name = moved(headers[index].name)
      headers[index].value = headers[index].value.mapped(moved)
    }
    guard var old = body else { return }
    old.range = moved(old.range)
    for index in old.lines.indices {
      old.lines[index].content = moved(old.lines[index].content)
      old.lines[index].lineEnd = moved(old.lines[index].lineEnd)
      if case .file(var file) = old.lines[index].kind {
        file.move(by: distance)
        old.lines[index].kind = .file(file)
      }
    }
    body = old
  }
}

extension RedirectSyntax {
  fileprivate mutating func move(by distance: Int) {
    markerRange = markerRange.moved(by: distance)
    encoding = encoding.map { $0.moved(by: distance) }
    path = path.moved(by: distance)
  }
}
