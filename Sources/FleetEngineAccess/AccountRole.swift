/// Role of an account, which decides what its tokens may do (`RoleTable`).
///
/// Source: Google's page on Fleet Engine's roles: consumer SDK user, driver SDK user, service super user, on-demand admin.
public enum AccountRole: String, CaseIterable, Hashable, Sendable {
    /// A rider's app.
    case consumer
    /// A driver's app.
    case driver
    /// A provider's backend.
    case server
    /// An administrator, who may also delete.
    case admin
}
