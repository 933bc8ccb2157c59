//===- Mutate.cpp - Spoil textual IR ----------------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A text is a list of tokens. Random characters would rarely get past the parser; so most changes
// exchange a token for another of its kind (a number, a type, an operation, a value), and half of
// them do so everywhere, which keeps types that must agree in agreement.
//
//===----------------------------------------------------------------------===//
#include "Mutate.h"

#include <algorithm>
#include <cctype>

using namespace fffuzz;

namespace {
enum class Kind { Number, Dimension, Type, Operation, Value, Other };

struct Token {
  std::string text;
  Kind kind;
};
using Tokens = std::vector<Token>;

const std::vector<std::string> numbers = {"0",
                                          "1",
                                          "2",
                                          "3",
                                          "7",
                                          "8",
                                          "16",
                                          "17",
                                          "64",
                                          "1024",
                                          "-1",
                                          "2147483647",
                                          "2147483648",
                                          "4294967296",
                                          "4611686018427387904",
                                          "9223372036854775807",
                                          "-9223372036854775808"};
const std::vector<std::string> dimensions = {"?",
                                             "0",
                                             "1",
                                             "2",
                                             "3",
                                             "7",
                                             "8",
                                             "16",
                                             "63",
                                             "64",
                                             "65536",
                                             "2147483648",
                                             "4294967296",
                                             "4611686018427387904",
                                             "9223372036854775807"};
const std::vector<std::string> floats = {
    "0.0", "1.0", "-1.0", "1.0e-5", "1.0e300", "1.0e-320", "0x7F800000", "0xFFC00000", "8.0"};
const std::vector<std::string> types = {"f16",  "bf16", "f32",  "f64",          "i1",
                                        "i8",   "i32",  "i64",  "index",        "f8E4M3FN",
                                        "tf32", "f80",  "f128", "complex<f32>", "none"};
/// Operations that take each other's place without a change of syntax.
const std::vector<std::vector<std::string>> operations = {
    {"arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.maximumf", "arith.minimumf",
     "math.powf", "arith.remf", "math.atan2", "math.copysign"},
    {"math.rsqrt", "math.sqrt", "math.exp", "math.absf", "math.tanh", "math.erf", "arith.negf",
     "math.log", "math.sin"},
    {"arith.extf", "arith.truncf", "arith.bitcast", "arith.sitofp", "arith.fptosi"},
    {"linalg.matmul", "linalg.batch_matmul", "linalg.matvec", "linalg.vecmat", "linalg.add",
     "linalg.mul", "linalg.dot"},
    {"rms_norm", "layer_norm", "l2_norm"},
    {"mean", "mean_square", "variance", "sum_square"},
    {"decode", "prefill", "simt"},
    {"fma", "mma_sync", "wgmma"},
    {"nk", "kn"},
    {"tensor", "memref", "vector"},
    {"tensor.collapse_shape", "tensor.expand_shape"},
    {"parallel", "reduction", "window"},
    {"linalg.yield", "ff.yield", "return", "func.return"},
    {"sm_80", "sm_86", "sm_90", "sm_90a", "sm_100a", "sm_70", "sm_999"}};

size_t below(Random &random, size_t n) { return random() % n; }
template <typename T>
const T &pick(Random &random, const std::vector<T> &from) {
  return from[below(random, from.size())];
}

/// The program whose hash wins against all others (rendezvous hashing): a new program takes a few
/// choices over, where an index would shift them all.
const std::string &pickProgram(Random &random, const std::vector<Program> &corpus) {
  uint64_t number = random();
  auto rank = [&](const Program &program) {
    uint64_t mixed = (program.hash ^ number) * 0x9E3779B97F4A7C15u;
    return (mixed ^ mixed >> 32) * 0xBF58476D1CE4E5B9u;
  };
  return std::max_element(corpus.begin(), corpus.end(),
                          [&](const Program &a, const Program &b) { return rank(a) < rank(b); })
      ->text;
}
} // namespace

static const std::vector<std::string> *operationClass(const std::string &text) {
  for (const std::vector<std::string> &list : operations)
    if (std::find(list.begin(), list.end(), text) != list.end())
      return &list;
  return nullptr;
}

static Kind kindOf(const std::string &text, bool inShape) {
  if (std::isdigit(static_cast<unsigned char>(text[0])))
    return inShape ? Kind::Dimension : Kind::Number;
  if (text == "?")
    return Kind::Dimension;
  if (text[0] == '%')
    return Kind::Value;
  if (std::find(types.begin(), types.end(), text) != types.end())
    return Kind::Type;
  return operationClass(text) ? Kind::Operation : Kind::Other;
}

/// Words, numbers with fractions, values with their names; the rest by character.
static Tokens split(const std::string &text) {
  Tokens tokens;
  size_t i = 0;
  auto word = [&](size_t at) {
    char c = text[at];
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$';
  };
  while (i < text.size()) {
    size_t begin = i;
    if (text.compare(i, 2, "//") == 0) {
      while (i < text.size() && text[i] != '\n')
        ++i;
      continue; // a comment is dropped
    }
    if (std::isdigit(static_cast<unsigned char>(text[i]))) {
      // In "4x8xf32" the extents are tokens of their own.
      while (i < text.size() && (std::isdigit(static_cast<unsigned char>(text[i])) ||
                                 (text[i] == '.' && text.compare(begin, 2, "0x") != 0)))
        ++i;
      bool shape = i < text.size() && text[i] == 'x';
      std::string number = text.substr(begin, i - begin);
      tokens.push_back({number, kindOf(number, shape)});
      if (shape) {
        tokens.push_back({"x", Kind::Other});
        ++i;
      }
      continue;
    }
    if (text[i] == '%' || text[i] == '@' || text[i] == '#' || text[i] == '^' || word(i)) {
      ++i;
      while (i < text.size() && (word(i) || (text[begin] == '%' && text[i] == '#')))
        ++i;
    } else {
      ++i;
    }
    std::string token = text.substr(begin, i - begin);
    tokens.push_back({token, kindOf(token, /*inShape=*/false)});
    if (token == "?" && i < text.size() && text[i] == 'x') {
      tokens.push_back({"x", Kind::Other});
      ++i;
    }
  }
  return tokens;
}

static std::string join(const Tokens &tokens) {
  std::string text;
  for (const Token &token : tokens)
    text += token.text;
  return text;
}

/// Another token for `old`.
static std::string replacement(const Token &old, const Tokens &tokens, Random &random) {
  switch (old.kind) {
  case Kind::Number:
    return pick(random, old.text.find('.') != std::string::npos ? floats : numbers);
  case Kind::Dimension:
    return pick(random, dimensions);
  case Kind::Type:
    return pick(random, types);
  case Kind::Operation:
    return pick(random, *operationClass(old.text));
  case Kind::Value: {
    std::vector<std::string> values;
    for (const Token &token : tokens)
      if (token.kind == Kind::Value)
        values.push_back(token.text);
    return pick(random, values);
  }
  case Kind::Other:
    return old.text;
  }
  return old.text;
}

/// Exchanges one token, or all of the same text.
static void exchange(Tokens &tokens, Random &random, bool everywhere) {
  std::vector<size_t> candidates;
  for (size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i].kind != Kind::Other)
      candidates.push_back(i);
  if (candidates.empty())
    return;
  Token old = tokens[pick(random, candidates)];
  // A value everywhere would only be renamed.
  if (old.kind == Kind::Value)
    everywhere = false;
  std::string text = replacement(old, tokens, random);
  size_t skip = everywhere ? 0 : below(random, tokens.size());
  for (size_t n = 0; n < tokens.size(); ++n) {
    Token &token = tokens[(n + skip) % tokens.size()];
    if (token.kind != old.kind || token.text != old.text)
      continue;
    token.text = text;
    if (!everywhere)
      return;
  }
}

static std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines{""};
  for (char c : text) {
    lines.back() += c;
    if (c == '\n')
      lines.emplace_back();
  }
  return lines;
}

/// Removes, repeats, exchanges or borrows lines.
static std::string changeLines(const std::string &text, const std::vector<Program> &corpus,
                               Random &random) {
  std::vector<std::string> lines = linesOf(text);
  size_t at = below(random, lines.size());
  switch (below(random, 4)) {
  case 0:
    lines.erase(lines.begin() + at);
    break;
  case 1:
    lines.insert(lines.begin() + at, lines[below(random, lines.size())]);
    break;
  case 2:
    std::swap(lines[at], lines[below(random, lines.size())]);
    break;
  case 3:
    lines.insert(lines.begin() + at, pick(random, linesOf(pickProgram(random, corpus))));
    break;
  }
  std::string result;
  for (const std::string &line : lines)
    result += line;
  return result;
}

/// Removes a bracketed group: an attribute dictionary, operands, a region.
static std::string dropGroup(const std::string &text, Random &random) {
  static const std::string open = "{[(<", close = "}])>";
  std::vector<size_t> starts;
  for (size_t i = 0; i < text.size(); ++i)
    if (open.find(text[i]) != std::string::npos)
      starts.push_back(i);
  if (starts.empty())
    return text;
  size_t begin = pick(random, starts), end = begin;
  char opening = text[begin], closing = close[open.find(opening)];
  for (int depth = 0; end < text.size(); ++end) {
    depth += text[end] == opening ? 1 : text[end] == closing ? -1 : 0;
    if (depth == 0)
      break;
  }
  return text.substr(0, begin) + (end < text.size() ? text.substr(end + 1) : "");
}

/// Removes or overwrites a few characters.
static std::string changeBytes(std::string text, Random &random) {
  if (text.empty())
    return text;
  size_t at = below(random, text.size());
  if (below(random, 2))
    text.erase(at, 1 + below(random, 8));
  else
    text[at] = static_cast<char>(below(random, 256));
  return text;
}

std::string fffuzz::mutate(const std::vector<Program> &corpus, Random &random) {
  std::string text = pickProgram(random, corpus);
  for (size_t n = 1 + below(random, 4); n > 0; --n) {
    size_t what = below(random, 20);
    if (what < 14) {
      Tokens tokens = split(text);
      exchange(tokens, random, /*everywhere=*/what < 9);
      text = join(tokens);
    } else if (what < 17) {
      text = changeLines(text, corpus, random);
    } else if (what < 19) {
      text = dropGroup(text, random);
    } else {
      text = changeBytes(text, random);
    }
  }
  return text;
}
