//===- DecodeModel.cpp - How long the decode kernels take ------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Plan/DecodeModel.h"

#include <algorithm>

using namespace mlir::flashfusion;
using namespace mlir::flashfusion::plan;

// Microseconds, and bytes per microsecond: of all of memory, of one multiprocessor's copies, of
// all reads of x. Least squares of relative errors (fit_decode.py prints these lines).
static constexpr double mmaLaunch = 2.036;
static constexpr double mmaMemory = 4.33e6;
static constexpr double mmaIssue = 0.269;
static constexpr double mmaLatency = 0.57;
static constexpr double mmaCopy = 98280;
static constexpr double mmaOperand = 0.00813;
static constexpr double mmaRows = 6.32e6;
static constexpr double mmaRoom = 0.45;
static constexpr double mmaTile = 0.0226;
static constexpr double wgmmaLaunch = 2.715;
static constexpr double wgmmaMemory = 5.021e6;
static constexpr double wgmmaFill = 102500;
static constexpr double wgmmaSpare = 0.002701;
static constexpr double wgmmaCluster = 0.2785;
static constexpr double wgmmaRows = 4.61e7;
static constexpr double wgmmaColumn = 0.004618;
static constexpr double wgmmaStep = 0.04904;
static constexpr double wgmmaLatency = 1.213;

double plan::predictDecode(const MmaDecode &launch) {
  auto stage = static_cast<double>(launch.stageBytes);
  double memory = stage * static_cast<double>(launch.blocks) / mmaMemory;
  double ring = (mmaLatency + stage / mmaCopy) / static_cast<double>(launch.depth - 1);
  double longest = std::max({memory, mmaIssue, ring});
  return mmaLaunch + static_cast<double>(launch.operands) * mmaOperand +
         static_cast<double>(launch.xBytes) / mmaRows * (launch.roomInL1 ? mmaRoom : 1.0) +
         static_cast<double>(launch.tiles) *
             (static_cast<double>(launch.split) * longest + mmaTile);
}

double plan::predictDecode(const WgmmaDecode &launch) {
  auto w = static_cast<double>(launch.wBytes), x = static_cast<double>(launch.xBytes);
  auto blocks = static_cast<double>(launch.blocks), steps = static_cast<double>(launch.steps);
  double fill = (w + x) / wgmmaFill + static_cast<double>(launch.spareRows) * wgmmaSpare;
  // A ring that holds everything is never waited for; else its other stages cover the latency.
  double ring = 0;
  if (launch.steps > launch.depth)
    ring = (wgmmaLatency + fill) / static_cast<double>(std::max<int64_t>(launch.depth - 1, 1));
  return wgmmaLaunch + (launch.cluster ? wgmmaCluster : 0) +
         static_cast<double>(launch.xRead) / wgmmaRows +
         static_cast<double>(launch.columns) * wgmmaColumn +
         steps * (std::max({w * blocks / wgmmaMemory, fill, ring}) + wgmmaStep);
}
