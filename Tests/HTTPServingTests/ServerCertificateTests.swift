import ServerHarness
import Testing

@testable import HTTPServing

@Suite("Certificates that cannot be used", .enabled(if: TestCertificate.isPossible), .timeLimit(.minutes(1)))
struct ServerCertificateTests {
    private func complaint(_ certificate: String, _ key: String) -> String {
        do throws(ListenError) {
            _ = try PortCertificate(.tls(certificateFile: certificate, keyFile: key), protocols: [])
            return ""
        } catch { return error.description }
    }

    @Test("an error names the file that is wrong")
    func reasons() throws {
        let good = try TestCertificate()
        let other = try TestCertificate()
        defer {
            good.remove()
            other.remove()
        }
        #expect(complaint(good.certificateFile, good.keyFile) == "")
        #expect(complaint("/nowhere/cert.pem", good.keyFile) == "the certificate /nowhere/cert.pem cannot be used: there is no such file")
        #expect(complaint(good.certificateFile, "/nowhere/key.pem") == "the key /nowhere/key.pem cannot be used: there is no such file")
        #expect(complaint("/", good.keyFile) == "the certificate / cannot be used: it is a folder")
        #expect(complaint(good.keyFile, good.keyFile) == "\(good.keyFile) contains no PEM certificate")
        #expect(complaint("/dev/null", good.keyFile) == "/dev/null contains no PEM certificate")
        #expect(
            complaint(good.certificateFile, good.certificateFile)
                == "\(good.certificateFile) must contain a private key in PEM, without a password")
        #expect(
            complaint(good.certificateFile, other.keyFile)
                == "the key in \(other.keyFile) does not match the certificate in \(good.certificateFile)")
    }
}
