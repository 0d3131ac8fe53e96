/// The models of a service by name, while they are in use.
struct WeakModels<Name: Hashable, Model: AnyObject> {
    private struct Reference {
        weak var model: Model?
    }

    private var references: [Name: Reference] = [:]
    private var nextSweep = 64

    /// Number of models; it may include models that are already released.
    var count: Int { references.count }

    subscript(name: Name) -> Model? { references[name]?.model }

    /// Adds a model. Released models are removed only when at least 64 models are listed, and at least twice as many as after the last
    /// removal. More frequent removals would be slow while many models are added in a row.
    mutating func add(_ model: Model, for name: Name) {
        if references.count >= nextSweep {
            references = references.filter { $0.value.model != nil }
            nextSweep = max(64, 2 * references.count)
        }
        references[name] = Reference(model: model)
    }
}
