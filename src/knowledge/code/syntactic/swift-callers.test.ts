import { describe, expect, it } from 'vitest'
import { writtenCallers } from '../../../../tests/code/written-callers.ts'

describe('callers in Swift, from the text', () => {
  const files = {
    'Repository.swift': `class Repository {
  init(_ size: Int = 0) {}
  func get(_ id: Int, force: Bool = false) -> Int { return load(id) }
  private func load(_ id: Int) -> Int { return helper(id) }
}
extension Repository {
  func getTwice(_ id: Int) -> Int { return get(id) }
}
private func helper(_ id: Int) -> Int { return id }
`,
    'LegacyRepository.swift': `struct LegacyRepository {
  func get(_ id: Int) -> Int { return helper(id) }
}
private func helper(_ id: Int) -> Int { return id }
`,
    'Cart.swift': `import Foundation
class Cart: Base {
  let repository: Repository
  var all: [Repository] = []
  var last: Repository?
  let legacy = LegacyRepository()
  init(repository: Repository) { self.repository = repository }
  func byField() { repository.get(1) }
  func byElement() { for item in all { item.get(2) } }
  func byOptional() { if let found = last { found.get(3, force: true) } }
  func byShortClosure() { all.forEach { $0.get(4) } }
  func byNamedClosure() { all.forEach { item in item.getTwice(5) } }
  func byNewObject() -> Int { let made = Repository(6); return made.get(7) }
  func onLegacy() { self.legacy.get(8) }
  func onPrivate() -> Int { return helper(9) }
}
`,
  }

  it('of a method come by fields, elements, optionals, closures, new objects and extensions', async () => {
    expect(await writtenCallers(files, 'Repository.swift', 'Repository.get')).toEqual([
      'Cart.byField > Repository.get @Cart.swift:8',
      'Cart.byElement > Repository.get @Cart.swift:9',
      'Cart.byOptional > Repository.get @Cart.swift:10',
      'Cart.byShortClosure > Repository.get @Cart.swift:11',
      'Cart.byNewObject > Repository.get @Cart.swift:13',
      'Repository.getTwice > Repository.get @Repository.swift:7',
    ])
  })

  it('of a method of an extension are found on what it extends', async () => {
    expect(await writtenCallers(files, 'Repository.swift', 'getTwice')).toEqual([
      'Cart.byNamedClosure > Repository.getTwice @Cart.swift:12',
    ])
  })

  it('of a method of the same name in another type stay apart', async () => {
    expect(await writtenCallers(files, 'LegacyRepository.swift', 'LegacyRepository.get')).toEqual([
      'Cart.onLegacy > LegacyRepository.get @Cart.swift:14',
    ])
  })

  it('of a private function are in its own file', async () => {
    expect(await writtenCallers(files, 'Repository.swift', 'helper')).toEqual([
      'Repository.load > helper @Repository.swift:4',
    ])
  })

  it('of an initializer name the class', async () => {
    expect(await writtenCallers(files, 'Repository.swift', 'Repository.init')).toEqual([
      'Cart.byNewObject > Repository.init @Cart.swift:13',
    ])
  })
})
