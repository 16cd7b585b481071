// Everything a program that uses gradus needs.
#pragma once

#include "gradus/benchmark.hpp"
#include "gradus/drawing.hpp"
#include "gradus/error.hpp"
#include "gradus/export.hpp"
#include "gradus/generate.hpp"
#include "gradus/import.hpp"
#include "gradus/mechanism.hpp"
#include "gradus/model.hpp"
#include "gradus/modes.hpp"
#include "gradus/result.hpp"
#include "gradus/run.hpp"
#include "gradus/solvers.hpp"
#include "gradus/study.hpp"
