// swift-tools-version: 6.2

// One section per layer, in the order of the import table in Sources/README.md. Shared settings are
// applied in one loop at the end, so that no target can be more lenient than another.

import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let targets: [Target] = [
  // C libraries
  .target(name: "CSystem"),
  .target(name: "CCurl", dependencies: ["CSystem"]),
  .target(
    name: "CXPath", dependencies: ["CSystem"],
    // Where Debian and Apple have the headers of libxml2, which is opened at run time.
    cSettings: [.unsafeFlags(["-iwithsysroot/usr/include/libxml2"])]),
  .target(
    name: "CYAML",
    // Taken into the program: 86 KB that no machine need have.
    linkerSettings: [
      .linkedLibrary(":libyaml.a", .when(platforms: [.linux])),
      .linkedLibrary("yaml", .when(platforms: [.macOS])),
    ]),
  .target(name: "CSecretService", dependencies: ["CSystem"]),
  .target(name: "CJavaScriptCore", dependencies: ["CSystem"]),
  .target(name: "CCrypto", dependencies: ["CSystem"]),
  .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),

  // Foundations
  .target(name: "Libc"),
  .target(name: "PostKitSupport", dependencies: ["CSystem", "Libc"]),
  .target(name: "PostKitText"),
  .target(name: "PostKitJSON"),
  .target(name: "PostKitHTTP"),
  .target(name: "PostKitYAML", dependencies: ["CYAML", "PostKitJSON"]),
  .target(name: "PostKitAuth", dependencies: ["PostKitJSON", "PostKitHTTP"]),

  // The language: pure functions on values
  .target(
    name: "PostKitSyntax", dependencies: ["PostKitText", "PostKitJSON"],
    exclude: ["README.md", "RULES.md"]),
  .target(
    name: "PostKitEvaluate",
    dependencies: ["PostKitText", "PostKitJSON", "PostKitSyntax", "PostKitHTTP", "PostKitAuth"]),
  .target(
    name: "PostKitDescription", dependencies: ["PostKitText", "PostKitJSON", "PostKitHTTP"]),
  .target(
    name: "PostKitLanguage",
    dependencies: [
      "PostKitText", "PostKitJSON", "PostKitSyntax", "PostKitEvaluate", "PostKitHTTP",
      "PostKitDescription", "PostKitAuth",
    ],
    exclude: ["DIAGNOSTICS.md", "SCRIPTS.md"]),

  // The edges
  .target(
    name: "PostKitTransport", dependencies: ["Libc", "PostKitHTTP", "PostKitSupport", "CCurl"]),
  .target(name: "PostKitXPath", dependencies: ["CXPath"]),
  .target(
    name: "PostKitStore",
    dependencies: [
      "Libc", "PostKitHTTP", "PostKitJSON", "PostKitSupport", "CSecretService", "CSQLite",
    ]),
  .target(name: "PostKitLoopback", dependencies: ["Libc", "PostKitHTTP", "PostKitSupport"]),
  .target(
    name: "PostKitExampleServer",
    dependencies: ["PostKitHTTP", "PostKitJSON", "PostKitSupport", "PostKitLoopback"]),
  .target(name: "PostKitScriptFrames", dependencies: ["PostKitJSON"]),
  .target(
    name: "PostKitScriptHost",
    dependencies: [
      "PostKitSupport", "PostKitJSON", "PostKitScriptFrames", "CJavaScriptCore", "CSystem", "Libc",
    ],
    exclude: ["Prelude"]),
  .target(
    name: "PostKitScripting",
    dependencies: [
      "PostKitSupport", "PostKitText", "PostKitJSON", "PostKitHTTP", "PostKitScriptFrames", "Libc",
    ],
    exclude: ["README.md"]),
  .target(
    name: "PostKitRunner",
    dependencies: [
      "PostKitSupport", "PostKitText", "PostKitJSON", "PostKitHTTP", "PostKitSyntax",
      "PostKitEvaluate", "PostKitTransport", "PostKitXPath", "PostKitStore",
      "PostKitExampleServer", "PostKitScriptFrames", "PostKitScripting", "PostKitYAML",
      "PostKitDescription", "PostKitAuth", "PostKitLoopback", "CCrypto",
    ]),

  .target(
    name: "PostKitTransfer",
    dependencies: [
      "PostKitSupport", "PostKitText", "PostKitJSON", "PostKitHTTP", "PostKitSyntax",
      "PostKitEvaluate", "PostKitStore", "PostKitYAML", "PostKitDescription",
    ]),

  .target(
    name: "PostKitMock",
    dependencies: [
      "PostKitSupport", "PostKitJSON", "PostKitHTTP", "PostKitSyntax", "PostKitDescription",
      "PostKitStore", "PostKitExampleServer", "PostKitLoopback", "PostKitTransfer", "PostKitYAML",
    ]),

  // The server
  .target(name: "JSONRPC", dependencies: ["Libc", "PostKitJSON", "PostKitSupport"]),
  .target(name: "LanguageServerProtocol", dependencies: ["PostKitJSON"]),
  .target(
    name: "PostKitSession",
    dependencies: [
      "PostKitSupport", "PostKitText", "PostKitJSON", "PostKitHTTP", "PostKitSyntax",
      "PostKitEvaluate", "PostKitLanguage", "PostKitTransport", "PostKitStore",
      "PostKitExampleServer", "PostKitRunner", "PostKitScripting", "PostKitDescription",
      "PostKitYAML", "PostKitMock", "PostKitAuth", "JSONRPC", "LanguageServerProtocol",
    ]),
  .target(
    name: "PostKitServer",
    dependencies: [
      "PostKitSupport", "PostKitText", "PostKitJSON", "PostKitHTTP", "PostKitSyntax",
      "PostKitEvaluate", "PostKitLanguage", "PostKitTransport", "PostKitStore",
      "PostKitExampleServer", "PostKitRunner", "PostKitTransfer", "PostKitMock", "PostKitSession",
      "PostKitDescription", "PostKitAuth", "PostKitLoopback", "JSONRPC",
      "LanguageServerProtocol", "Libc",
    ]),

  // Programs
  .executableTarget(
    name: "postkit",
    dependencies: [
      "PostKitServer", "PostKitSession", "PostKitRunner", "PostKitLanguage", "PostKitStore",
      "PostKitExampleServer", "PostKitSyntax", "PostKitText", "PostKitJSON", "PostKitSupport",
      "PostKitHTTP", "PostKitEvaluate", "PostKitTransport", "PostKitXPath", "PostKitTransfer",
      "Libc",
      "PostKitScriptHost", "PostKitScripting", "PostKitMock", "PostKitDescription", "PostKitYAML",
      "PostKitAuth", "PostKitLoopback",
    ],
    exclude: ["README.md"]),
  .executableTarget(name: "generate-protocol", dependencies: ["Libc", "PostKitJSON"]),

  // Tests
  .target(
    name: "PostKitTestSupport",
    dependencies: [
      "Libc", "PostKitSupport", "PostKitText", "PostKitJSON", "PostKitHTTP", "PostKitSyntax",
    ]),
  .testTarget(
    name: "PostKitSupportTests", dependencies: ["Libc", "PostKitSupport", "PostKitTestSupport"]),
  .testTarget(name: "PostKitTextTests", dependencies: ["PostKitText", "PostKitTestSupport"]),
  .testTarget(name: "PostKitJSONTests", dependencies: ["PostKitJSON", "PostKitTestSupport"]),
  .testTarget(
    name: "PostKitDescriptionTests",
    dependencies: [
      "PostKitDescription", "PostKitText", "PostKitHTTP", "PostKitJSON", "PostKitSupport",
      "PostKitTestSupport",
    ]),
  .testTarget(
    name: "PostKitYAMLTests",
    dependencies: ["CYAML", "PostKitJSON", "PostKitSupport", "PostKitYAML", "PostKitTestSupport"]),
  .testTarget(
    name: "PostKitAuthTests",
    dependencies: [
      "PostKitAuth", "PostKitHTTP", "PostKitJSON", "PostKitSupport", "PostKitTestSupport",
    ]),
  .testTarget(name: "PostKitHTTPTests", dependencies: ["PostKitHTTP", "PostKitTestSupport"]),
  .testTarget(
    name: "PostKitSyntaxTests", dependencies: ["Libc", "PostKitSyntax", "PostKitTestSupport"],
    exclude: ["Golden"]),
  .testTarget(
    name: "PostKitEvaluateTests", dependencies: ["PostKitEvaluate", "PostKitTestSupport"]),
  .testTarget(
    name: "PostKitLanguageTests",
    dependencies: ["PostKitLanguage", "PostKitDescription", "PostKitTestSupport"],
    exclude: ["Golden"]),
  .testTarget(
    name: "PostKitTransportTests",
    dependencies: ["Libc", "PostKitTransport", "PostKitTestSupport"]),
  .testTarget(name: "PostKitXPathTests", dependencies: ["PostKitXPath", "PostKitTestSupport"]),
  .target(name: "CFaultyDisk", dependencies: ["CSQLite"], path: "Tests/CFaultyDisk"),
  .testTarget(
    name: "PostKitStoreTests",
    dependencies: ["Libc", "PostKitStore", "PostKitTestSupport", "CFaultyDisk"],
    exclude: ["Golden", "README.md"]),
  .testTarget(
    name: "PostKitLoopbackTests",
    dependencies: [
      "Libc", "PostKitLoopback", "PostKitHTTP", "PostKitSupport", "PostKitTestSupport",
    ]),
  .testTarget(
    name: "PostKitExampleServerTests",
    dependencies: ["Libc", "PostKitExampleServer", "PostKitLoopback", "PostKitTestSupport"]),
  .testTarget(
    name: "PostKitRunnerTests",
    dependencies: [
      "Libc", "PostKitRunner", "PostKitTransfer", "PostKitTestSupport", "postkit",
    ]),
  .testTarget(
    name: "PostKitScriptingTests",
    dependencies: [
      "Libc", "PostKitScripting", "PostKitScriptFrames", "PostKitTestSupport", "postkit",
      "confined-probe",
    ]),
  .target(name: "CProbe", path: "Tests/CProbe"),
  .executableTarget(
    name: "confined-probe", dependencies: ["PostKitScriptHost", "PostKitSupport", "CProbe", "Libc"],
    path: "Tests/ConfinedProbe"),
  .testTarget(
    name: "PostKitTransferTests", dependencies: ["Libc", "PostKitTransfer", "PostKitTestSupport"],
    exclude: ["Golden", "Exports/Golden"]),
  .testTarget(
    name: "PostKitMockTests",
    dependencies: [
      "PostKitMock", "PostKitDescription", "PostKitExampleServer", "PostKitSyntax", "PostKitHTTP",
      "PostKitJSON", "PostKitLoopback", "PostKitSupport", "PostKitTestSupport", "Libc",
    ]),
  .testTarget(name: "JSONRPCTests", dependencies: ["JSONRPC", "PostKitTestSupport"]),
  .testTarget(
    name: "LanguageServerProtocolTests",
    dependencies: ["LanguageServerProtocol", "PostKitTestSupport", "generate-protocol"]),
  .testTarget(
    name: "PostKitServerTests",
    dependencies: ["Libc", "PostKitServer", "PostKitSession", "PostKitTestSupport"],
    exclude: ["Transcripts"]),
  .testTarget(
    name: "CommandLineTests",
    dependencies: ["Libc", "postkit", "PostKitStore", "PostKitTransfer", "PostKitTestSupport"]),
  .testTarget(
    name: "PostKitScriptAPITests",
    dependencies: [
      "PostKitSupport", "PostKitJSON", "PostKitHTTP", "PostKitScripting", "PostKitLanguage",
      "PostKitTestSupport", "postkit",
    ],
    exclude: ["Entries"]),
  .testTarget(name: "TidyTests", dependencies: ["PostKitTestSupport"]),
  .executableTarget(
    name: "measure",
    dependencies: [
      "CYAML", "Libc", "PostKitDescription", "PostKitEvaluate", "PostKitHTTP", "PostKitJSON",
      "PostKitStore", "PostKitSupport", "PostKitSyntax", "PostKitYAML", "RawSQLite",
    ],
    path: "Tests/Benchmarks/measure"),
  .target(
    name: "RawSQLite", path: "Tests/Benchmarks/sqlite",
    linkerSettings: [.linkedLibrary("sqlite3")]),
]

for target in targets where target.type != .system && !target.name.hasPrefix("C") {
  target.swiftSettings = strict
}

// Where nobody waits for the processor, and where a call is measured in what it calls, targets are
// built to be small: the program has a bar of its own (Tests/Benchmarks).
let rare: Set<String> = [
  "PostKitTransfer", "PostKitDescription", "PostKitYAML", "PostKitMock", "PostKitLoopback",
  "PostKitAuth", "PostKitExampleServer", "PostKitScriptHost", "PostKitScripting", "PostKitStore",
  "PostKitRunner", "PostKitSession", "LanguageServerProtocol", "PostKitServer", "postkit",
]
for target in targets where rare.contains(target.name) {
  target.swiftSettings = strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]
}

let package = Package(name: "postkit", targets: targets, swiftLanguageModes: [.v6])
