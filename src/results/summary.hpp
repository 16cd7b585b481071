// A result as a JSON document (docs/program.md describes its members), and as a folder of files.
#pragma once

#include <filesystem>
#include <string>

#include "gradus/result.hpp"
#include "gradus/run.hpp"
#include "src/results/file_formats.hpp"
#include "src/results/json_text.hpp"

namespace gradus::results {

// What `gradus simulate|gradient --json` prints. The top level carries design 0; a batch has all of
// them in "designs". A failed run also says so in "error", with the exit code of the program.
void write_result_document(const Result& result, const Sink& sink);

// What summary.json holds: the same, the parameters with values and units, the options of the run,
// the largest constraint violations and the Newton iterations.
void write_summary_document(const Result& result, const Options& options, const Sink& sink);

// "2 of 64 designs failed; first: design 7 at 0.31 s: ...". Empty if none did.
std::string failure_message(const Result& result);

// The folder of results: gradient.npz, trajectory.npz where motions were recorded, and
// summary.json, which is removed first and written last, so that a folder without it is incomplete;
// as HDF5 gradient.h5 and trajectory.h5, as CSV trajectory.csv. Throws FileError.
void write_results(const std::filesystem::path& folder, const Result& result,
                   const Options& options = {}, FileFormats formats = {});

}  // namespace gradus::results
