//! Test files to be edited.

pub(super) const RUST: &str = "use shop::total;

#[test]
fn adds() {
    let sum = total(&[1, 2]);
    assert_eq!(sum, 3);
}
";

pub(super) const RUST_MOD: &str = "fn tax() {}

#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        assert_eq!(1 + 1, 2);
    }

    #[test]
    fn last() {
        assert!(1 > 0);
    }
}
";

pub(super) const PYTHON: &str = "import pytest
from shop import total


def test_total():
    items = [1, 2, 3]
    assert total(items) == 6
";

pub(super) const PYTHON_CLASS: &str = "import unittest


class TestSum(unittest.TestCase):
    def test_one(self):
        self.assertEqual(1, 1)

    def test_two(self):
        self.assertEqual(2, 2)
";

pub(super) const JS: &str = "import { total } from '../src/total';

describe('total', () => {
  it('adds', () => {
    const sum = total([1, 2]);
    expect(sum).toBe(3);
  });

  it('is zero for nothing', () => {
    expect(total([])).toBe(0);
  });
});
";

pub(super) const GO: &str = "package shop

import (
\t\"testing\"
)

func TestTotal(t *testing.T) {
\tif Total(1, 2) != 3 {
\t\tt.Errorf(\"wrong\")
\t}
}
";

pub(super) const JAVA: &str = "package shop;

import org.junit.jupiter.api.Test;

class SumTest {
    @Test
    void adds() {
        assertEquals(3, sum(1, 2));
    }
}
";

pub(super) const KOTLIN: &str = "package shop

import org.junit.jupiter.api.Test

class SumTest {
    @Test
    fun adds() {
        assertEquals(3, sum(1, 2))
    }
}
";

pub(super) const CSHARP: &str = "using Xunit;

namespace Shop.Tests;

public class SumTests
{
    [Fact]
    public void Adds()
    {
        Assert.Equal(3, Sum(1, 2));
    }
}
";

pub(super) const PHP: &str = "<?php

use PHPUnit\\Framework\\TestCase;

final class SumTest extends TestCase
{
    public function testAdds(): void
    {
        $this->assertSame(3, sum(1, 2));
    }
}
";

pub(super) const RSPEC: &str = "require 'spec_helper'

RSpec.describe Sum do
  it 'adds' do
    expect(sum(1, 2)).to eq(3)
  end
end
";

pub(super) const MINITEST: &str = "require 'test_helper'

class SumTest < Minitest::Test
  def test_adds
    assert_equal 3, sum(1, 2)
  end
end
";

pub(super) const BATS: &str = "#!/usr/bin/env bats

@test \"adds\" {
  run sum 1 2
  [ \"$output\" = 3 ]
}
";
