/// The role of an account. It decides which calls the account's tokens allow (`RoleTable`).
///
/// Source: Google's page about the roles of Fleet Engine: consumer SDK user, driver SDK user, service super user, on-demand admin.
public enum AccountRole: String, CaseIterable, Hashable, Sendable {
    /// The app of a rider.
    case consumer
    /// The app of a driver.
    case driver
    /// The backend of a provider.
    case server
    /// An administrator, who can also delete.
    case admin
}
