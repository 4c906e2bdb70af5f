/**
 * Everything a project needs to test its own tools and contracts: real directories, named fakes, and the suite every
 * tool gets.
 */
export { checkContract, runsCommands, type Runner } from './check-contract.ts'
export {
  fakeDocumentation,
  type FakeDocs,
  type FakeDocumentation,
  type FakePage,
  type FakeSite,
  type FakeSiteAnswer,
} from './fake-documentation.ts'
export { fakeGraph, fakeJournal, type FakeGraphAsked, type FakeRecord } from './fake-adapters.ts'
export { fakePerson, fakeSecrets } from './fakes.ts'
export { fakeGithub, type FakeAnswer, type FakeFiles, type FakeGithub, type FakeGithubOptions } from './fake-github.ts'
export { fakePages, fakeWeb, type FakeName, type FakeWeb, type FakeWebOptions } from './fake-web.ts'
export { snapshotOf, temporaryWorkspace, type Snapshot, type TemporaryWorkspace } from './temporary-workspace.ts'
