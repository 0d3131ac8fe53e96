import BoundedJSON
import FleetEngine
import FleetEngineWire
import FoundationEssentials
import Geo
import HTTPCalls

extension ProviderBackendClient {
    /// Sends a request and decodes its answer.
    /// - Parameter onFailure: called after each failed attempt. Its argument says whether the server may have carried out the request.
    func send<Answer: Decodable>(
        _ method: String, _ path: String, body: (some Encodable)? = nil as NewTripBody?, until deadline: Date,
        onFailure: (Bool) -> Void = { _ in }
    ) async throws(ProviderBackendError) -> Answer {
        try decode(try await send(method, path, body: body, until: deadline, onFailure: onFailure))
    }

    /// Sends a request and returns its answer undecoded.
    func send(
        _ method: String, _ path: String, body: (some Encodable)? = nil as NewTripBody?, until deadline: Date,
        onFailure: (Bool) -> Void = { _ in }
    ) async throws(ProviderBackendError) -> HTTPExchange.Answer {
        var data: Data?
        if let body {
            data = try? JSONEncoder().encode(body)
            guard data != nil else {
                throw ProviderBackendError(HTTPFailure(.invalid, "a latitude or longitude is not a number"), address: address)
            }
        }
        return try await answer(method, path, body: data.map(Array.init), until: deadline, onFailure: onFailure)
    }

    func decode<Answer: Decodable>(_ answer: HTTPExchange.Answer) throws(ProviderBackendError) -> Answer {
        guard let decoded = try? JSONDecoder().decodeBounded(Answer.self, from: Data(answer.body)) else {
            throw ProviderBackendError(notUnderstood: Self.complaint(answer), address: address)
        }
        return decoded
    }

    /// Sends a request. Sends it again after a retryable failure if another attempt is safe and enough time is left.
    func answer(
        _ method: String, _ path: String, body: [UInt8]?, until deadline: Date, onFailure: (Bool) -> Void = { _ in }
    ) async throws(ProviderBackendError) -> HTTPExchange.Answer {
        var retry = CallRetry()
        var random = SeededRandom(seed: seed)
        while true {
            do throws(ProviderBackendError) {
                return try await reported(method, path, body: body, limitSeconds: min(timeoutSeconds, rest(until: deadline)))
            } catch {
                onFailure(error.mayHaveHappened)
                let isSafe = method != "POST" || error.kind == .unreachable && !error.mayHaveHappened
                guard isSafe, error.isRetryable, let delay = retry.delaySeconds(after: error.fleetEngineError, random: &random),
                    let wait = Self.wait(delay, error.fleetEngineError), wait + Self.shortestAttemptSeconds < rest(until: deadline),
                    (try? await time.sleep(seconds: wait)) != nil
                else { throw error }
            }
        }
    }

    /// Shortest time that must be left to start another attempt, in seconds.
    private static let shortestAttemptSeconds = 1.0

    private func rest(until deadline: Date) -> Double { max(0, deadline.timeIntervalSince(time.now())) }

    /// Returns the pause before the next attempt, in seconds; nil if the server asks for a pause of over 10 s, which is too long for a
    /// user.
    private static func wait(_ delay: Double, _ error: FleetEngineError) -> Double? {
        guard let wanted = error.retryDelaySeconds else { return delay }
        return wanted > 10 ? nil : max(delay, wanted)
    }

    /// Sends a request once and reports it to `onRequest`.
    private func reported(
        _ method: String, _ path: String, body: [UInt8]?, limitSeconds: Double
    ) async throws(ProviderBackendError) -> HTTPExchange.Answer {
        guard let onRequest else { return try await attempt(method, path, body: body, limitSeconds: limitSeconds) }
        let start = ContinuousClock.now
        func report(status: Int?, failure: String?) {
            onRequest(RequestReport(method: method, path: path, status: status, failure: failure, seconds: (.now - start) / .seconds(1)))
        }
        do throws(ProviderBackendError) {
            let answer = try await attempt(method, path, body: body, limitSeconds: limitSeconds)
            report(status: answer.status, failure: nil)
            return answer
        } catch {
            report(status: error.fleetEngineError.httpStatus, failure: error.description)
            throw error
        }
    }

    private func attempt(
        _ method: String, _ path: String, body: [UInt8]?, limitSeconds: Double
    ) async throws(ProviderBackendError) -> HTTPExchange.Answer {
        let headers = try ownHeaders()
        guard address.origin.isSecure || !headers.contains(where: { Self.isCredential($0.name) }) else {
            throw plaintext("credentials are not sent")
        }
        var exchange = HTTPExchange(
            method: method, url: address.text + path, headers: [("accept", "application/json")] + headers, body: body,
            largestAnswer: Self.largestAnswer, limitSeconds: limitSeconds, caFile: caFile)
        if body != nil { exchange.headers.append(("content-type", "application/json")) }
        let answer: HTTPExchange.Answer
        do throws(HTTPFailure) { answer = try await exchange.send(time) } catch { throw ProviderBackendError(error, address: address) }
        guard (200..<300).contains(answer.status) else {
            throw ProviderBackendError(answer, said: Self.message(answer.body), address: address, now: time.now())
        }
        return answer
    }

    private func ownHeaders() throws(ProviderBackendError) -> [(name: String, value: String)] {
        guard let headerFile else { return headers }
        do throws(HeaderFileError) {
            return try headerFile.lines(under: headers)
        } catch {
            throw ProviderBackendError(HTTPFailure(.invalid, error.description), address: address)
        }
    }

    func plaintext(_ what: String) -> ProviderBackendError {
        ProviderBackendError(HTTPFailure(.invalid, "\(what) in plaintext; use https"), address: address)
    }

    private static func isCredential(_ name: String) -> Bool {
        let name = name.lowercased()
        return name == "cookie" || ["auth", "token", "key", "secret", "password"].contains { name.contains($0) }
    }

    private static func complaint(_ answer: HTTPExchange.Answer) -> String {
        let isPage = answer.body.first { $0 > 0x20 } == UInt8(ascii: "<")
        return isPage ? "it is a web page" : "it is not in the format of the sample provider's API"
    }
}

extension ProviderBackendClient {
    /// Returns the printable message in an answer; empty if the answer has no readable message.
    fileprivate static func message(_ body: [UInt8]) -> String {
        let message = (try? JSONDecoder().decodeBounded(MessageBody.self, from: Data(body)))?.message
        return message.map { ForeignText.redactedLine($0) } ?? ""
    }
}
