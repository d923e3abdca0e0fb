//! What is found in small files of each language.

use super::*;

/// An entry in words: each list with a line for each item.
fn told(path: &str, text: &str) -> Vec<String> {
    let entry = Reader::default().read(path, text.as_bytes());
    assert_eq!(entry.unread, None);
    let mut told = Vec::new();
    for export in entry.exports.unwrap() {
        let kind = serde_json::to_value(export.kind).unwrap();
        told.push(format!("{} export {} {}", export.line, kind.as_str().unwrap(), export.name));
    }
    for import in entry.imports.unwrap() {
        told.push(format!(
            "{} import {} of {}",
            import.line,
            import.names.join(","),
            import.source
        ));
    }
    for function in entry.functions.unwrap() {
        let returns = function.returns.map(|returns| format!(" -> {returns}")).unwrap_or_default();
        let params = function.params.join("; ");
        told.push(format!("{} function {}({params}){returns}", function.line, function.name));
    }
    for class in entry.classes.unwrap() {
        let extends = class.extends.map(|base| format!(" < {base}")).unwrap_or_default();
        let methods = class.methods.join(",");
        told.push(format!("{} class {}{extends} {{{methods}}}", class.line, class.name));
    }
    for calls in entry.call_graph.unwrap() {
        told.push(format!("{} {} calls {}", calls.line, calls.caller, calls.callees.join(",")));
    }
    told
}

#[test]
fn c44_rust_is_read() {
    let text = r#"
use std::{collections::BTreeMap, fmt::{self, Write as _}, io};
use crate::shop::*;
pub use self::cart::{Cart, total as sum};

pub const LIMIT: usize = 8;

/// A shop.
#[derive(Debug)]
pub struct Shop<T> {
    carts: BTreeMap<String, T>,
}

pub enum Kind { Small, Large }

pub trait Priced: fmt::Debug {
    fn price(&self) -> u32;
}

impl<T> Shop<T> {
    pub fn open(name: &str) -> Self {
        Self::checked(name);
        helper(1, 2)
    }

    fn checked(name: &str) {}
}

impl<T> Priced for Shop<T> {
    fn price(&self) -> u32 {
        self.rounded();
        LIMIT as u32
    }
}

pub async fn serve(
    shop: &Shop<u8>, // the one
    port: u16,
) -> Result<(), io::Error> {
    let inner = || Shop::<u8>::open("x");
    fn nested() { helper(0, 0); }
    Shop::open("a");
    io::copy();
    helper(1, 2);
    helper(3, 4)
}

fn helper(a: u32, b: u32) {}

#[cfg(test)]
mod tests {
    #[test]
    fn works() { helper(1, 2) }
}
"#;
    assert_eq!(
        told("src/shop.rs", text),
        [
            "4 export const Cart",
            "4 export const sum",
            "6 export const LIMIT",
            "10 export class Shop",
            "14 export enum Kind",
            "16 export interface Priced",
            "36 export function serve",
            "2 import io of std",
            "2 import BTreeMap of std::collections",
            "2 import self,Write of std::fmt",
            "3 import * of crate::shop",
            "4 import Cart,total of self::cart",
            "36 function serve(shop: &Shop<u8>; port: u16) -> Result<(), io::Error>",
            "48 function helper(a: u32; b: u32)",
            "10 class Shop {open,price}",
            "14 class Kind {}",
            "16 class Priced < fmt::Debug {price}",
            "22 Shop.open calls Shop.checked,helper",
            "41 serve calls helper,Shop.open",
        ]
    );
}

#[test]
fn c44_python_is_read() {
    let text = r#"
import os, numpy as np
from .models import User, Order as O
from typing import *

LIMIT = 3
_cache = {}

@dataclass
class Service(Base, abc.ABC, metaclass=Meta):
    name: str

    def __init__(self, user: User):
        self.load(user)

    async def load(self, user, *, deep=False):
        helper()
        other.load()

    def _hidden(self): ...

def helper(a: int, b=1, *args, **kwargs) -> list[str]:
    def inner():
        Service(a)
    return os.path.join(a)

@app.route("/")
def index():
    helper(1)
    Service.load(None)

if LIMIT:
    import json
"#;
    assert_eq!(
        told("app/service.py", text),
        [
            "6 export const LIMIT",
            "10 export class Service",
            "22 export function helper",
            "28 export function index",
            "2 import * of os",
            "2 import * of numpy",
            "3 import User,Order of .models",
            "4 import * of typing",
            "33 import * of json",
            "22 function helper(a: int; b=1; *args; **kwargs) -> list[str]",
            "28 function index()",
            "10 class Service < Base, abc.ABC {load}",
            "14 Service.__init__ calls Service.load",
            "17 Service.load calls helper",
            "24 helper calls Service",
            "29 index calls helper,Service.load",
        ]
    );
}

#[test]
fn c44_javascript_is_read() {
    let text = r#"
import React, { useState, useEffect as effect } from 'react';
import * as path from "path";
import './style.css';
const { join, resolve: r } = require('node:path');
const fs = require('fs');
require('dotenv');

export default class App extends React.Component {
  constructor(props) { super(props); }
  #secret() {}
  render() { return this.view(helper(1)); }
  view = (x) => <Item x={x} />;
}

export const add = (a, b = 1) => helper(a);
export const LIMIT = 3, OTHER = 4;
function helper(x) { return new App(x); }
const single = x => lazy();
async function* lazy() { await import('./lazy.js'); }
export { helper as assist, LIMIT as limit };
export * from './all.js';
export { one, two as zwei } from './numbers.js';
"#;
    assert_eq!(
        told("src/App.jsx", text),
        [
            "9 export default App",
            "16 export function add",
            "17 export const LIMIT",
            "17 export const OTHER",
            "21 export function assist",
            "21 export const limit",
            "22 export const *",
            "23 export const one",
            "23 export const zwei",
            "2 import React,useState,useEffect of react",
            "3 import * of path",
            "4 import  of ./style.css",
            "5 import join,resolve of node:path",
            "6 import fs of fs",
            "7 import  of dotenv",
            "20 import * of ./lazy.js",
            "22 import * of ./all.js",
            "23 import one,two of ./numbers.js",
            "16 function add(a; b = 1)",
            "18 function helper(x)",
            "19 function single(x)",
            "20 function lazy()",
            "9 class App < React.Component {render,view}",
            "12 App.render calls App.view,helper",
            "16 add calls helper",
            "18 helper calls App",
            "19 single calls lazy",
        ]
    );
}

#[test]
fn c44_modules_of_node_are_read() {
    let text = "function a() {}\nmodule.exports = { a, b: 2, c() {} };\nexports.d = () => a();\n";
    let expected = [
        "2 export function a",
        "2 export const b",
        "2 export function c",
        "3 export const d",
        "1 function a()",
    ];
    assert_eq!(told("a.cjs", text), expected);
    assert_eq!(told("b.js", "module.exports = Thing;\n"), ["1 export default Thing"]);
    assert_eq!(told("c.js", "export default () => 1;\n"), ["1 export default default"]);
}

#[test]
fn c44_typescript_is_read() {
    let text = r#"
import type { Row } from './db';
import legacy = require('legacy');

export interface Store<T> extends Base<T>, Closable { get(id: string): Promise<T>; size: number }
export type Id = string | number;
export enum Color { Red, Green }
export abstract class Repo<T> extends Base<T> implements Store<T> {
  private hidden(): void {}
  protected abstract load(): Row;
  abstract find(id: Id): T;
  public async get(id: string): Promise<T> { this.hidden(); return parse(id); }
  handler = (e: Event): void => { this.get('x'); };
}
export function parse(text: string): Id;
export function parse(text: string, radix?: number): Id { return check(text); }
const check = (text: string): text is 'a' => true;
export declare const VERSION: string;
export default Repo;
"#;
    let expected = [
        "5 export interface Store",
        "6 export type Id",
        "7 export enum Color",
        "8 export default Repo",
        "15 export function parse",
        "18 export const VERSION",
        "2 import Row of ./db",
        "3 import legacy of legacy",
        "15 function parse(text: string) -> Id",
        "16 function parse(text: string; radix?: number) -> Id",
        "17 function check(text: string) -> text is 'a'",
        "5 class Store < Base<T>, Closable {get}",
        "8 class Repo < Base {find,get,handler}",
        "12 Repo.get calls Repo.hidden,parse",
        "13 Repo.handler calls Repo.get",
        "16 parse calls check",
    ];
    assert_eq!(told("src/repo.ts", text), expected);
    let view = "export const View = (p: Props): JSX.Element => <b>{p.x}</b>;\n";
    assert_eq!(
        told("src/view.tsx", view),
        ["1 export function View", "1 function View(p: Props) -> JSX.Element"]
    );
}

#[test]
fn c44_go_is_read() {
    let text = r#"
package shop

import "fmt"
import (
	str "strings"
	_ "embed"
)

const Limit, small = 3, 4
var ( Registry = map[string]int{} )

type Cart struct { items []string }
type Pricer interface { Price(x int) int; hidden() }
type Id = string
type Names []string

func New(a, b string, rest ...int) (*Cart, error) {
	c := &Cart{}
	c.Add(a)
	return c, check(b)
}

func (c *Cart) Add(item string) { c.grow(); fmt.Println(str.ToUpper(item)) }
func (c *Cart) grow() {}
func check(s string) error { return nil }
"#;
    assert_eq!(
        told("shop/cart.go", text),
        [
            "10 export const Limit",
            "11 export const Registry",
            "13 export class Cart",
            "14 export interface Pricer",
            "15 export type Id",
            "16 export type Names",
            "18 export function New",
            "4 import * of fmt",
            "6 import * of strings",
            "7 import  of embed",
            "18 function New(a, b string; rest ...int) -> (*Cart, error)",
            "26 function check(s string) -> error",
            "13 class Cart {Add}",
            "14 class Pricer {Price}",
            "21 New calls check",
            "24 Cart.Add calls Cart.grow",
        ]
    );
}

#[test]
fn c44_java_is_read() {
    let text = r#"
package a.b;

import java.util.List;
import java.io.*;
import static a.b.Util.max;

@Entity
public class Shop extends Base<Cart> implements Priced {
    public Shop(int x) { init(); }
    private void init() { this.load(null); }
    public List<Cart> load(String name) {
        Runnable r = new Runnable() { public void run() { init(); } };
        return new Cart().all();
    }
    static class Cart { List<Cart> all() { return null; } }
}

interface Priced extends Closeable, Named { int price(); }
"#;
    assert_eq!(
        told("src/Shop.java", text),
        [
            "9 export class Shop",
            "4 import List of java.util",
            "5 import * of java.io",
            "6 import max of a.b.Util",
            "9 class Shop < Base<Cart> {load}",
            "16 class Cart {all}",
            "19 class Priced < Closeable, Named {price}",
            "10 Shop.Shop calls Shop.init",
            "11 Shop.init calls Shop.load",
            "13 Shop.load calls Shop.init,Cart",
        ]
    );
}

#[test]
fn c44_ruby_is_read() {
    let text = r#"
require 'json'
require_relative "../lib/cart"

LIMIT = 3

module Shop
  class Cart < Base
    def initialize(items)
      load(items)
    end

    def self.build(x, y: 1) = new(x)

    def load(items, &block)
      check
      self.total
    end

    def total; end

    private

    def check
      helper(1)
    end
  end
end

def helper(a, b = 2)
  Cart.build(a)
  Cart.new(a)
end
"#;
    assert_eq!(
        told("lib/shop.rb", text),
        [
            "5 export const LIMIT",
            "7 export class Shop",
            "8 export class Cart",
            "30 export function helper",
            "2 import * of json",
            "3 import * of ../lib/cart",
            "30 function helper(a; b = 2)",
            "7 class Shop {}",
            "8 class Cart < Base {build,load,total}",
            "10 Cart.initialize calls Cart.load",
            "16 Cart.load calls Cart.check,Cart.total",
            "25 Cart.check calls helper",
            "31 helper calls Cart.build,Cart",
        ]
    );
}

#[test]
fn c44_broken_code_gives_what_can_be_seen() {
    let text = "pub fn whole(a: u8) -> u8 { a }\n}}} <<<<<<< HEAD\npub fn half(b: \n";
    let told = told("src/a.rs", text);
    assert!(told.contains(&"1 function whole(a: u8) -> u8".to_owned()), "{told:?}");
    let text = "class A:\n    def go(self):\n        helper(\n\ndef helper():\n    pass\n";
    assert!(!super::tests::told("a.py", text).is_empty());
}

#[test]
fn c44_what_cannot_be_read_is_listed_without_contents() {
    let mut reader = Reader::default();
    let large = vec![b' '; FILE_BYTES_MAX + 1];
    for (bytes, unread) in [
        (large.as_slice(), Some(Unread::TooLarge)),
        (&large[1..], None),
        (b"\x47\x00\x11", Some(Unread::NotText)),
        (b"\xff\xfe\nexport const x = 1;\n", None),
        (b"\xef\xbb\xbfexport const x = 1;\n", None),
        (b"", None),
    ] {
        let entry = reader.read("src/a.ts", bytes);
        assert_eq!(entry.unread, unread);
        assert_eq!(entry.exports.is_none(), unread.is_some());
    }
    let entry = reader.read("README.md", b"# Title\n");
    assert_eq!((entry.unread, entry.lengths()), (None, [Some(0); 5]));
}
