import { describe, expect, it } from 'vitest'
import { writtenCallers } from '../../../../tests/code/written-callers.ts'

describe('callers in Ruby, from the text', () => {
  const files = {
    'lib/repository.rb': `module Data
  class Repository
    def self.make(size)
      new(size)
    end

    def initialize(size)
      @size = size
    end

    def get(id)
      load_row id
    end

    def load_row(id)
      id
    end
  end
end
`,
    'lib/legacy.rb': `module Legacy
  class Repository
    def get(id)
      id
    end
  end
end
`,
    'lib/cart.rb': `require_relative 'repository'

module Logging
  def log(line); end
end

class Cart
  include Logging

  def initialize
    @repository = Data::Repository.new(1)
    @legacy = Legacy::Repository.new
  end

  def by_mixin
    log 1
  end

  def by_result
    made = Data::Repository.make(2)
    made.get(3)
  end

  def by_instance_variable
    @repository.get 4
  end

  def on_legacy
    @legacy.get(5)
  end

  def total
    helper
    helper = 6
  end

  def helper
    self.total
  end
end
`,
  }

  it('of a method come by results and instance variables, with brackets and without', async () => {
    expect(await writtenCallers(files, 'lib/repository.rb', 'Repository.get')).toEqual([
      'Cart.by_result > Repository.get @lib/cart.rb:21',
      'Cart.by_instance_variable > Repository.get @lib/cart.rb:25',
    ])
  })

  it('of a method of the same class name in another module stay apart', async () => {
    expect(await writtenCallers(files, 'lib/legacy.rb', 'Repository.get')).toEqual([
      'Cart.on_legacy > Repository.get @lib/cart.rb:29',
    ])
  })

  it('without brackets and receiver are found in the class itself', async () => {
    expect(await writtenCallers(files, 'lib/repository.rb', 'Repository.load_row')).toEqual([
      'Repository.get > Repository.load_row @lib/repository.rb:12',
    ])
  })

  it('of initialize say new, with the class and within it', async () => {
    expect(await writtenCallers(files, 'lib/repository.rb', 'Repository.initialize')).toEqual([
      'Cart.initialize > Repository.initialize @lib/cart.rb:11',
      'Repository.make > Repository.initialize @lib/repository.rb:4',
    ])
  })

  it('of a method of a mixin are those in the class that includes it', async () => {
    expect(await writtenCallers(files, 'lib/cart.rb', 'log')).toEqual(['Cart.by_mixin > log @lib/cart.rb:16'])
  })

  it('are no assignments to a variable of the same name', async () => {
    expect(await writtenCallers(files, 'lib/cart.rb', 'Cart.helper')).toEqual([
      'Cart.total > Cart.helper @lib/cart.rb:33',
    ])
  })

  it('come by self', async () => {
    expect(await writtenCallers(files, 'lib/cart.rb', 'Cart.total')).toEqual([
      'Cart.helper > Cart.total @lib/cart.rb:38',
    ])
  })
})
