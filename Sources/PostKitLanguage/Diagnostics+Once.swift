// What is said once for a whole file: that no environment is selected, and that a request whose
// response is read has not been sent.

import PostKitEvaluate
import PostKitHTTP
import PostKitText

/// The diagnostics of a file's blocks, of which each subject is spoken of once.
struct FoundDiagnostics {
  /// All that were found, in the order of the blocks.
  private(set) var all: [Diagnostic] = []
  /// How many of them are about a place alone; those that are said once count for nothing, as they
  /// take the place of no other remark.
  private(set) var count = 0
  private var subjects: Set<Diagnostic.Subject> = []
  /// How many of them are about descriptions of APIs.
  private var describedCount = 0
  private let surface: Surface

  /// Finds nothing yet.
  init(_ surface: Surface) { self.surface = surface }

  /// Whether there is room for a diagnostic of this code.
  func takes(_ code: DiagnosticCode) -> Bool {
    surface != .editor || describedCount < RequestDescriptions.findingLimit
      || !code.isAboutDescription
  }

  /// Takes a diagnostic, unless the same was said before.
  mutating func add(_ diagnostic: Diagnostic, movedBy distance: Int = 0) {
    if diagnostic.code.isAboutDescription {
      describedCount += 1
      if surface == .editor, describedCount > RequestDescriptions.findingLimit { return }
    }
    if let subject = diagnostic.subject, subject.isSaidOnce(on: surface) {
      guard subjects.insert(subject).inserted else { return }
    } else {
      count += 1
    }
    all.append(distance == 0 ? diagnostic : diagnostic.moved(by: distance))
  }
}

extension Diagnostic.Subject {
  /// Whether one place is enough. The command line names each place of a name that waits for an
  /// environment: its reader may have no editor that goes from one to the next.
  func isSaidOnce(on surface: Surface) -> Bool {
    switch self {
    case .unsent: true
    case .unselected: surface == .editor
    }
  }
}

extension Analysis {
  /// The diagnostics in the order of the file, with one in the place of all those whose names wait
  /// for an environment to be selected.
  func joiningUnselected(_ all: [Diagnostic]) -> [Diagnostic] {
    guard surface == .editor else { return all }
    var names: [String] = []
    var first: Int?
    var result: [Diagnostic] = []
    result.reserveCapacity(all.count)
    for diagnostic in all {
      if case .unselected(let name) = diagnostic.subject {
        names.append(name)
        guard first == nil else { continue }
        first = result.count
      }
      result.append(diagnostic)
    }
    guard let first else { return all }
    result[first].code = .noEnvironment
    result[first].severity = DiagnosticCode.noEnvironment.entry.severity
    let environments = scope.environments.environments(defining: names[0])
    result[first].message = surface.choosing(environments, for: names, selected: nil).excerpt
    return result
  }

  /// The environments of which one resolves the name that a diagnostic is about; none where that is
  /// not what is missing.
  package func environmentsToSelect(for diagnostic: Diagnostic) -> [String] {
    guard case .unselected(let name) = diagnostic.subject else { return [] }
    return scope.environments.environments(defining: name)
  }
}
