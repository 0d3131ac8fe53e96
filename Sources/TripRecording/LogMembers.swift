/// The trips, vehicles, tasks and delivery vehicles of a log, as far as they are needed to limit its memory and to complete its names.
struct LogMembers {
    /// The number of JSON values in the largest entry of each member, added up. The fleet of a log needs memory in proportion to it.
    private(set) var valueCount = 0
    private var valueCounts: [String: Int] = [:]
    private var providers: Set<String> = []

    /// The provider of entries with a bare id. Nil if the full names of the vehicles have several providers, or if no vehicle has a full
    /// name; the Cloud project is then kept as the provider.
    var provider: String? { providers.count == 1 ? providers.first : nil }

    mutating func add(_ entry: LogEntry, valueCount count: Int) {
        if providers.count < 2, let provider = entry.vehicleProvider { providers.insert(provider) }
        guard let name = entry.memberName else {
            valueCount += count
            return
        }
        let known = valueCounts[name] ?? 0
        guard count > known else { return }
        valueCounts[name] = count
        valueCount += count - known
    }
}
