import Dispatch
import Foundation
import PackagePlugin

/// `swift package backlot`: builds the command from source and runs it in the package's folder.
///
/// The command is built when the plugin runs and not as a dependency of the plugin: then every `swift build` of this package
/// would build it twice, for the products and for the plugins.
@main
struct BacklotPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let build = try packageManager.build(
            .product("backlot"),
            parameters: .init(configuration: .debug, logging: .concise, echoLogs: true)
        )
        guard build.succeeded, let command = build.builtArtifacts.first(where: { $0.kind == .executable }) else {
            Diagnostics.error("backlot cannot be built; see the messages above")
            return
        }
        let process = Process()
        process.executableURL = command.url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        // Set after the start, or the command would ignore them, too. It ends at the first one, and prints its verdict.
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { process.interrupt() }
            source.resume()
            return source
        }
        process.waitUntilExit()
        for source in sources { source.cancel() }
        guard process.terminationStatus != 0 else { return }
        #if os(macOS)
            if ["serve", "run", "explore"].contains(arguments.first) {
                Diagnostics.remark(
                    "SwiftPM does not allow plugins to listen for connections; if that is why the command failed, add "
                        + "--disable-sandbox: "
                        + "swift package --disable-sandbox backlot \(arguments.joined(separator: " "))"
                )
            }
        #endif
        exit(process.terminationStatus)
    }
}
