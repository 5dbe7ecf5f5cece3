// swift-tools-version: 6.2

// One section per layer, in the order of the import table in Sources/README.md. Shared settings are
// applied in one loop at the end, so that no target can be more lenient than another.

import Foundation
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

// The list of Linking/order can be read by gold alone, which is what Debian links Swift with.
let gold = "/usr/bin/ld.gold"
let order =
  FileManager.default.isExecutableFile(atPath: gold)
  ? [
    "-use-ld=gold", "-Xlinker", "--section-ordering-file", "-Xlinker",
    "\(Context.packageDirectory)/Sources/postkit/Linking/order",
  ] : []

let targets: [Target] = [
  // C libraries
  .target(name: "CSystem"),
  .target(name: "CCurl", dependencies: ["CSystem"]),
  .target(
    name: "CXPath", dependencies: ["CSystem"],
    // Where Debian and Apple have the headers of libxml2, which is opened at run time.
    cSettings: [.unsafeFlags(["-iwithsysroot/usr/include/libxml2"])]),
  .target(name: "CSecretService", dependencies: ["CSystem"]),
  .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),

  // Foundations
  .target(name: "PostKitSupport", dependencies: ["CSystem"]),
  .target(name: "PostKitText"),
  .target(name: "PostKitJSON"),
  .target(name: "PostKitHTTP"),

  // The language: pure functions on values
  .target(
    name: "PostKitSyntax", dependencies: ["PostKitText", "PostKitJSON"], exclude: ["README.md"]),
  .target(
    name: "PostKitEvaluate",
    dependencies: ["PostKitText", "PostKitJSON", "PostKitSyntax", "PostKitHTTP"]),
  .target(
    name: "PostKitLanguage",
    dependencies: [
      "PostKitText", "PostKitJSON", "PostKitSyntax", "PostKitEvaluate", "PostKitHTTP",
    ],
    exclude: ["DIAGNOSTICS.md"]),

  // The edges
  .target(name: "PostKitTransport", dependencies: ["PostKitHTTP", "PostKitSupport", "CCurl"]),
  .target(name: "PostKitXPath", dependencies: ["CXPath"]),
  .target(
    name: "PostKitStore",
    dependencies: ["PostKitHTTP", "PostKitJSON", "PostKitSupport", "CSecretService", "CSQLite"]),
  .target(
    name: "PostKitExampleServer", dependencies: ["PostKitHTTP", "PostKitJSON", "PostKitSupport"]),
  .target(
    name: "PostKitRunner",
    dependencies: [
      "PostKitSupport", "PostKitText", "PostKitJSON", "PostKitHTTP", "PostKitSyntax",
      "PostKitEvaluate", "PostKitTransport", "PostKitXPath", "PostKitStore",
      "PostKitExampleServer",
    ]),

  .target(
    name: "PostKitTransfer",
    dependencies: [
      "PostKitSupport", "PostKitText", "PostKitJSON", "PostKitHTTP", "PostKitSyntax",
      "PostKitEvaluate", "PostKitStore",
    ]),

  // The server
  .target(name: "JSONRPC", dependencies: ["PostKitJSON", "PostKitSupport"]),
  .target(name: "LanguageServerProtocol", dependencies: ["PostKitJSON"]),
  .target(
    name: "PostKitSession",
    dependencies: [
      "PostKitSupport", "PostKitText", "PostKitJSON", "PostKitHTTP", "PostKitSyntax",
      "PostKitEvaluate", "PostKitLanguage", "PostKitTransport", "PostKitStore",
      "PostKitExampleServer", "PostKitRunner", "JSONRPC",
      "LanguageServerProtocol",
    ]),
  .target(
    name: "PostKitServer",
    dependencies: [
      "PostKitSupport", "PostKitText", "PostKitJSON", "PostKitHTTP", "PostKitSyntax",
      "PostKitEvaluate", "PostKitLanguage", "PostKitTransport", "PostKitStore",
      "PostKitExampleServer", "PostKitRunner", "PostKitTransfer", "PostKitSession",
      "JSONRPC", "LanguageServerProtocol",
    ]),

  // Programs
  .executableTarget(
    name: "postkit",
    dependencies: [
      "PostKitServer", "PostKitSession", "PostKitRunner", "PostKitLanguage", "PostKitStore",
      "PostKitExampleServer", "PostKitSyntax", "PostKitText", "PostKitJSON", "PostKitSupport",
      "PostKitHTTP", "PostKitEvaluate", "PostKitTransport", "PostKitXPath", "PostKitTransfer",
    ],
    exclude: ["Linking", "README.md"],
    linkerSettings: [
      // A start takes 2 ms, of a request's 10 in all. 33,000 relocations of a program that can lie
      // anywhere would add 1 ms; libcurl and SQLite, which read what strangers send, keep their
      // random addresses. Loading the shared libraries of C++ and of the compiler would add 0.7 ms
      // (see Linking), and 9,000 exported symbols, which nobody asks for, are searched by each
      // library that is loaded.
      .unsafeFlags(
        [
          "-Xclang-linker", "-no-pie", "-Xclang-linker", "-static-libgcc",
          "-L", "\(Context.packageDirectory)/Sources/postkit/Linking",
          "-Xlinker", "--no-export-dynamic",
        ] + order, .when(platforms: [.linux], configuration: .release))
    ]),
  .executableTarget(name: "generate-protocol", dependencies: ["PostKitJSON"]),

  // Tests
  .target(
    name: "PostKitTestSupport",
    dependencies: ["PostKitSupport", "PostKitText", "PostKitJSON", "PostKitHTTP", "PostKitSyntax"]),
  .testTarget(name: "PostKitSupportTests", dependencies: ["PostKitSupport", "PostKitTestSupport"]),
  .testTarget(name: "PostKitTextTests", dependencies: ["PostKitText", "PostKitTestSupport"]),
  .testTarget(name: "PostKitJSONTests", dependencies: ["PostKitJSON", "PostKitTestSupport"]),
  .testTarget(name: "PostKitHTTPTests", dependencies: ["PostKitHTTP", "PostKitTestSupport"]),
  .testTarget(
    name: "PostKitSyntaxTests", dependencies: ["PostKitSyntax", "PostKitTestSupport"],
    exclude: ["Golden"]),
  .testTarget(
    name: "PostKitEvaluateTests", dependencies: ["PostKitEvaluate", "PostKitTestSupport"]),
  .testTarget(
    name: "PostKitLanguageTests", dependencies: ["PostKitLanguage", "PostKitTestSupport"],
    exclude: ["Golden"]),
  .testTarget(
    name: "PostKitTransportTests", dependencies: ["PostKitTransport", "PostKitTestSupport"]),
  .testTarget(name: "PostKitXPathTests", dependencies: ["PostKitXPath", "PostKitTestSupport"]),
  .target(name: "CFaultyDisk", dependencies: ["CSQLite"], path: "Tests/CFaultyDisk"),
  .testTarget(
    name: "PostKitStoreTests",
    dependencies: ["PostKitStore", "PostKitTestSupport", "CFaultyDisk"],
    exclude: ["Golden", "README.md"]),
  .testTarget(
    name: "PostKitExampleServerTests",
    dependencies: ["PostKitExampleServer", "PostKitTestSupport"]),
  .testTarget(
    name: "PostKitRunnerTests",
    dependencies: ["PostKitRunner", "PostKitTransfer", "PostKitTestSupport"]),
  .testTarget(
    name: "PostKitTransferTests", dependencies: ["PostKitTransfer", "PostKitTestSupport"]),
  .testTarget(name: "JSONRPCTests", dependencies: ["JSONRPC", "PostKitTestSupport"]),
  .testTarget(
    name: "LanguageServerProtocolTests",
    dependencies: ["LanguageServerProtocol", "PostKitTestSupport", "generate-protocol"]),
  .testTarget(
    name: "PostKitServerTests",
    dependencies: ["PostKitServer", "PostKitSession", "PostKitTestSupport"],
    exclude: ["Transcripts"]),
  .testTarget(
    name: "CommandLineTests",
    dependencies: ["postkit", "PostKitStore", "PostKitTransfer", "PostKitTestSupport"]),
  .testTarget(name: "TidyTests", dependencies: ["PostKitTestSupport"]),
  .executableTarget(
    name: "measure",
    dependencies: [
      "PostKitEvaluate", "PostKitHTTP", "PostKitJSON", "PostKitStore", "PostKitSupport",
      "PostKitSyntax", "RawSQLite",
    ],
    path: "Tests/Benchmarks/measure"),
  .target(
    name: "RawSQLite", path: "Tests/Benchmarks/sqlite",
    linkerSettings: [.linkedLibrary("sqlite3")]),
]

// Each function in a section of its own, so that the linker can put those together that a run calls
// (see Linking). And types that are made of others, such as a dictionary of texts, are asked for by
// calls: by their names the runtime would look for them in the tables of all types and conformances,
// which was a twelfth of the instructions of a run of one request.
let isRelease = BuildSettingCondition.when(platforms: [.linux], configuration: .release)
for target in targets where target.type != .system {
  if target.name.hasPrefix("C") {
    target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-ffunction-sections"], isRelease)]
  } else {
    let flags = ["-function-sections", "-disable-concrete-type-metadata-mangled-name-accessors"]
    target.swiftSettings = strict + [
      .unsafeFlags(flags.flatMap { ["-Xfrontend", $0] }, isRelease)
    ]
  }
}

let package = Package(name: "postkit", targets: targets, swiftLanguageModes: [.v6])
