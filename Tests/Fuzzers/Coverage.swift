#if LIBFUZZER
    import Dispatch
    import Glibc
    import Synchronization

    /// The function that libFuzzer calls with each input. The build of `.ci/fuzz --coverage` uses libFuzzer's main function.
    @c(LLVMFuzzerTestOneInput)
    public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
        Coverage.feed(Array(UnsafeBufferPointer(start: bytes, count: size)))
        return 0
    }

    private enum Coverage {
        /// The run of the target that the environment variable `FUZZ_TARGET` names.
        private static let run: FuzzRun = {
            let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
            guard let target = FuzzTarget.all.first(where: { $0.name == name }),
                let run = try? FuzzRun(target, path: ".build/fuzz-inputs/\(name).input")
            else { fatalError("FUZZ_TARGET names no target, or .build/fuzz-inputs is missing") }
            return run
        }()

        /// Runs the asynchronous target with an input, and waits until the target has finished.
        static func feed(_ input: [UInt8]) {
            let done = DispatchSemaphore(value: 0)
            Task.detached {
                do throws(FuzzFault) { _ = try await run.feed(input) } catch { fatalError(error.rule) }
                done.signal()
            }
            done.wait()
        }
    }
#endif
