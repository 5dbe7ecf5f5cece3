// A comparison for programs.

import PostKitEvaluate
import PostKitHTTP
package import PostKitJSON

extension ResponseDifference {
  /// The comparison as JSON; what did not change is `null` or empty.
  package var json: JSONValue {
    [
      "old": side(old), "new": side(new), "same": .bool(isEmpty),
      "status": oldStatus == newStatus
        ? .null : ["old": .string(oldStatus), "new": .string(newStatus)],
      "headers": json(headers?.changes), "passing": json(headers?.passing),
      "body": bodyJSON, "notes": .array(notes.map(JSONValue.string)),
    ]
  }

  private func json(_ changes: [HeaderDifference.Change]?) -> JSONValue {
    .array(
      (changes ?? []).map { change in
        [
          "name": .string(change.name), "old": .array(change.old.map(JSONValue.string)),
          "new": .array(change.new.map(JSONValue.string)),
        ]
      })
  }

  private func side(_ exchange: Exchange) -> JSONValue {
    [
      "id": .string(exchange.id),
      "time": .string(DateFormat.iso8601(CivilDate(milliseconds: exchange.startedAt))),
      "method": .string(exchange.request.method), "url": .string(exchange.request.url),
      "status": exchange.response.map { .int($0.status) } ?? .null,
    ]
  }

  private var bodyJSON: JSONValue {
    switch body {
    case .same: .null
    case .json(let changes):
      ["kind": "json", "changes": .array(changes.map(json))]
    case .text(let hunks):
      [
        "kind": "text",
        "hunks": .array(
          hunks.map { hunk in
            [
              "oldLine": .int(hunk.oldLine), "newLine": .int(hunk.newLine),
              "lines": .array(hunk.lines.map { .string($0.mark.rawValue + $0.text) }),
            ]
          }),
      ]
    case .opaque(let old, let new):
      ["kind": "binary", "old": json(old), "new": json(new)]
    }
  }

  private func json(_ change: JSONChange) -> JSONValue {
    func place(_ place: JSONChange.Place?) -> JSONValue {
      place.map { ["path": .string($0.path), "value": $0.value] } ?? .null
    }
    return ["old": place(change.old), "new": place(change.new)]
  }

  private func json(_ facts: BodyDifference.Facts) -> JSONValue {
    ["type": .string(facts.type), "size": .int(facts.size), "sha256": .string(facts.digest)]
  }
}
