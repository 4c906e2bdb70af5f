import { describe, expect, it } from 'vitest'
import { writtenCallers } from '../../../../tests/code/written-callers.ts'

describe('callers in C++, from the text', () => {
  const files = {
    'shop/repository.hpp': `#pragma once
#include <memory>
namespace shop {
class Repository {
 public:
  explicit Repository(int size = 0);
  int get(int id) const;
  int get(int id, bool force) const { return get(id); }
};
int find(int id);
}
`,
    'shop/repository.cpp': `#include "repository.hpp"
namespace shop {
Repository::Repository(int size) {}
int Repository::get(int id) const { return find(id); }
int find(int id) { return id; }
}
`,
    'legacy/repository.cpp': `namespace legacy {
class Repository {
 public:
  int get(int id) { return id; }
};
int find(int id) { return id; }
int use() { Repository repository; return repository.get(1) + find(2); }
}
`,
    'shop/cart.cpp': `#include "repository.hpp"
class Logging { public: void log() {} };
class Cart : public Logging {
  shop::Repository field_;
  std::unique_ptr<shop::Repository> pointer_;
 public:
  void inherited() { log(); }
  void byThis() { this->log(); }
  int byField() { return field_.get(1); }
  int bySmartPointer() { return pointer_->get(2, true); }
  int byNamespace() { return shop::find(3); }
  int byElement(const std::vector<shop::Repository>& all) {
    int sum = 0;
    for (const auto& each : all) sum += each.get(4);
    return sum;
  }
  void inLambda() { auto read = [](shop::Repository given) { return given.get(5); }; }
  int byNew() { auto made = new shop::Repository(6); return made->get(7); }
  int byCast() { return static_cast<shop::Repository*>(nullptr)->get(8); }
};
`,
  }

  it('of a method come by fields, pointers, elements, lambdas, new objects and casts, whatever overload', async () => {
    expect(await writtenCallers(files, 'shop/repository.cpp', 'Repository.get')).toEqual([
      'Cart.byField > Repository.get @shop/cart.cpp:9',
      'Cart.bySmartPointer > Repository.get @shop/cart.cpp:10',
      'Cart.byElement > Repository.get @shop/cart.cpp:14',
      'Cart.inLambda > Repository.get @shop/cart.cpp:17',
      'Cart.byNew > Repository.get @shop/cart.cpp:18',
      'Cart.byCast > Repository.get @shop/cart.cpp:19',
      'Repository.get > Repository.get @shop/repository.hpp:8',
    ])
  })

  it('of a function of a namespace name it, or stand in the namespace', async () => {
    expect(await writtenCallers(files, 'shop/repository.cpp', 'find')).toEqual([
      'Cart.byNamespace > find @shop/cart.cpp:11',
      'Repository.get > find @shop/repository.cpp:4',
    ])
  })

  it('of a method of the same class name in another namespace stay apart', async () => {
    expect(await writtenCallers(files, 'legacy/repository.cpp', 'Repository.get')).toEqual([
      'use > Repository.get @legacy/repository.cpp:7',
    ])
  })

  it('of a function of the same name in another namespace stay apart', async () => {
    expect(await writtenCallers(files, 'legacy/repository.cpp', 'find')).toEqual([
      'use > find @legacy/repository.cpp:7',
    ])
  })

  it('of an inherited method are those in the class that inherits it', async () => {
    expect(await writtenCallers(files, 'shop/cart.cpp', 'Logging.log')).toEqual([
      'Cart.inherited > Logging.log @shop/cart.cpp:7',
      'Cart.byThis > Logging.log @shop/cart.cpp:8',
    ])
  })
})
