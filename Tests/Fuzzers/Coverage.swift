#if LIBFUZZER
    import CLibFuzzer
    import Dispatch
    import FoundationEssentials
    import Glibc
    import Synchronization

    /// Runs a target with libFuzzer, which keeps input that reaches new code. `.ci/fuzz --coverage` builds it.
    enum Coverage {
        private static let run = Mutex<FuzzRun?>(nil)

        /// Fuzzes until the time or the number of inputs is reached. An input that fails ends the process.
        /// - Parameters:
        ///   - folder: for right input, and for input that reaches new code.
        ///   - limits: libFuzzer's options for time, number and seed.
        /// - Returns: libFuzzer's exit code.
        static func fuzz(_ fuzzRun: FuzzRun, _ seeds: [[UInt8]], folder: String, limits: [String]) throws -> Int32 {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for (number, seed) in seeds.enumerated() { try Data(seed).write(to: URL(filePath: "\(folder)/seed-\(number)")) }
            try Data(dictionary(fuzzRun.target.words).utf8).write(to: URL(filePath: folder + ".dict"))
            run.withLock { $0 = fuzzRun }
            let options = ["-rss_limit_mb=500", "-timeout=5", "-print_final_stats=1", "-max_len=65536", "-dict=\(folder).dict"]
            var words: [UnsafeMutablePointer<CChar>?] = (["Fuzzers"] + options + limits + [folder]).map { strdup($0) } + [nil]
            var count = Int32(words.count - 1)
            return words.withUnsafeMutableBufferPointer { buffer in
                var start = buffer.baseAddress
                return LLVMFuzzerRunDriver(&count, &start) { bytes, size in
                    Coverage.feed(Array(UnsafeBufferPointer(start: bytes, count: size)))
                    return 0
                }
            }
        }

        /// The words in libFuzzer's form, which has at most 255 bytes for each.
        private static func dictionary(_ words: [String]) -> String {
            func hexadecimal(_ byte: UInt8) -> String { "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }
            return words.filter { (1...64).contains($0.utf8.count) }.map { "\"\($0.utf8.map(hexadecimal).joined())\"\n" }.joined()
        }

        /// Waits for the target, whose work may be asynchronous.
        private static func feed(_ input: [UInt8]) {
            guard let fuzzRun = run.withLock({ $0 }) else { return }
            let done = DispatchSemaphore(value: 0)
            Task.detached {
                do throws(FuzzFault) { _ = try await fuzzRun.feed(input) } catch { fatalError(error.rule) }
                done.signal()
            }
            done.wait()
        }
    }
#endif
