import EventLoops
import Foundation
import HTTPServing

/// nginx with one worker and no log, serving files of a folder as fast as it can.
///
/// A class, because it is one running process.
final class NginxServer {
    private let child: ChildProcess
    let port: UInt16

    /// Starts it and waits until it listens; nil when it is not installed.
    init?(serving folder: ScratchFolder) throws {
        guard let program = ChildProcess.find("nginx") else { return nil }
        port = try Self.freePort()
        try folder.write("nginx.conf", Self.configuration(folder: folder.path, port: port))
        child = try ChildProcess(program, ["-e", "\(folder.path)/error.log", "-c", "\(folder.path)/nginx.conf"])
        for _ in 0..<200 {
            if (try? HTTPClient(host: "127.0.0.1", port: port)) != nil { return }
            Thread.sleep(forTimeInterval: 0.01)
        }
        throw Obstacle("nginx does not listen; see \(folder.path)/error.log")
    }

    func stop() {
        child.stop()
    }

    var process: Int32 { child.id }

    private static func freePort() throws -> UInt16 {
        try ListeningSocket.listen(host: "127.0.0.1", port: 0).first?.address.port ?? 0
    }

    private static func configuration(folder: String, port: UInt16) -> String {
        """
        daemon off; master_process off; worker_processes 1;
        pid \(folder)/nginx.pid; error_log \(folder)/error.log;
        events { worker_connections 4096; }
        http {
            access_log off; tcp_nodelay on; keepalive_requests 1000000000; open_file_cache max=100;
            types { application/json json; }
            client_body_temp_path \(folder)/temporary; proxy_temp_path \(folder)/temporary;
            fastcgi_temp_path \(folder)/temporary; uwsgi_temp_path \(folder)/temporary;
            scgi_temp_path \(folder)/temporary;
            server { listen 127.0.0.1:\(port); root \(folder)/files; }
        }

        """
    }
}
