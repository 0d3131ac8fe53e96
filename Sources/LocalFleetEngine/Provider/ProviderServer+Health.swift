import Hummingbird
import NIOCore

extension ProviderServer {
    /// Adds the routes for monitoring: whether the server runs, whether it can do its work, and its counters.
    func addHealth(_ router: Router<BasicRequestContext>, of engine: LocalFleetEngine) {
        router.get("healthz") { _, _ in "ok\n" }
        router.get("readyz") { _, _ in
            guard let trouble = health.trouble else { return Self.text("ok\n") }
            return Self.text(trouble + "\n", .serviceUnavailable)
        }
        router.get("metrics") { _, _ in Self.text(MetricsText(engine).text, contentType: MetricsText.contentType) }
    }

    private static func text(
        _ text: String, _ status: HTTPResponse.Status = .ok, contentType: String = "text/plain; charset=utf-8"
    ) -> Response {
        Response(status: status, headers: [.contentType: contentType], body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}
