/** What a project needs to test its own tools and contracts: real directories, named fakes, and the suite every tool gets. */
export { checkContract, type Runner } from './check-contract.ts'
export { fakePerson, fakeSecrets } from './fakes.ts'
export { snapshotOf, temporaryWorkspace, type Snapshot, type TemporaryWorkspace } from './temporary-workspace.ts'
