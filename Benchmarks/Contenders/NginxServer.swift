#if os(macOS) || os(Linux)
  import Foundation

  /// nginx with one worker and a static answer, where it is installed.
  final class NginxServer {
    let port: Int
    private let process: Process
    private let folder: URL

    /// Returns `nil` if this machine has no nginx.
    init?(body: String) throws {
      let places = ["/usr/sbin/nginx", "/usr/bin/nginx", "/opt/homebrew/bin/nginx"]
      guard let program = places.first(where: FileManager.default.isExecutableFile) else { return nil }
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("StubKitBenchmarks-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // It can't say which port the system chose, so a listener finds a free one and makes room for it.
      let (descriptor, port) = try Loopback.listen()
      close(descriptor)
      self.port = port
      let configuration = folder.appendingPathComponent("nginx.conf")
      try """
      daemon off; master_process off; pid \(folder.path)/pid; error_log stderr crit;
      events { worker_connections 256; }
      http {
        access_log off; keepalive_requests 1000000000; default_type "text/plain; charset=utf-8";
        client_body_temp_path \(folder.path)/a; proxy_temp_path \(folder.path)/b; fastcgi_temp_path \(folder.path)/c;
        uwsgi_temp_path \(folder.path)/d; scgi_temp_path \(folder.path)/e;
        server { listen 127.0.0.1:\(port); location / { return 200 "\(body)"; } }
      }
      """.write(to: configuration, atomically: false, encoding: .utf8)
      process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = ["-c", configuration.path, "-p", folder.path, "-e", "stderr"]
      try process.run()
      for _ in 0..<100 {
        guard let connection = try? Loopback.connect(port: port) else {
          Thread.sleep(forTimeInterval: 0.05)
          continue
        }
        close(connection)
        return
      }
      stop()
      throw Probe.Failure(description: "\(program) doesn't listen on port \(port).")
    }

    func stop() {
      // It inherits a signal mask from the thread that started it, so that it may not learn of a request to end.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      try? FileManager.default.removeItem(at: folder)
    }
  }
#else
  /// Only macOS and Linux can start a process.
  final class NginxServer {
    let port = 0

    init?(body: String) throws { return nil }

    func stop() {}
  }
#endif
