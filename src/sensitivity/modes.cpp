// Eigenvalues and modes of the linearised equations, and their derivatives w^T dA/dp v.
// docs/theory.md, section 23.
#include "gradus/modes.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/motion/decompositions.hpp"
#include "src/sensitivity/linearization.hpp"

namespace gradus {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kApart = 1e-3;  // round-off beside the distance to the next eigenvalue
constexpr double kRootOfRoundOff = 1e-7;
constexpr double kFoundShare = 1e-6;  // m, rad: of a deviation from an equilibrium that was found
constexpr double kCancelled = 1e-13;  // of terms that cancel
constexpr double kManyLastDigits = 100.0;
constexpr double kWorstNoise = 8.0;  // beside that of a few samples

Eigen::Map<const Matrix> matrix(const std::vector<double>& numbers, std::size_t rows) {
  const auto size = static_cast<Index>(rows);
  return {numbers.data(), size, size};
}

// Whether the start is an equilibrium or a steady motion: x' stays as it is, and so does A.
bool is_steady(const Linearization& linear) {
  if (linear.varies) return false;
  const Matrix a = matrix(linear.a, linear.n_state());
  const auto vector = [](const std::vector<double>& numbers) {
    return Eigen::Map<const Eigen::VectorXd>(numbers.data(), static_cast<Index>(numbers.size()));
  };
  Eigen::VectorXd rates = vector(linear.rates);
  const double still = kStill * std::max(1.0, rates.lpNorm<Eigen::Infinity>());
  rates = (rates.array().abs() > still).select(rates, 0.0);
  // The search for an equilibrium ends where a tiny deviation would make these rates.
  for (Index i = 0; linear.start == "equilibrium" && i < rates.size(); ++i)
    if (std::abs(rates(i)) <= kFoundShare * a.row(i).lpNorm<1>()) rates(i) = 0.0;
  const Eigen::ArrayXd change = (a * rates).cwiseAbs();
  const Eigen::ArrayXd round_off =
      kManyLastDigits * (a.cwiseAbs() * vector(linear.rate_noise) +
                         matrix(linear.a_noise, linear.n_state()) * rates.cwiseAbs()) +
      kCancelled * a.cwiseAbs() * rates.cwiseAbs();
  return (change <= round_off).all();
}

std::vector<Complex> numbers(const Eigen::VectorXcd& vector) {
  return {vector.begin(), vector.end()};
}

// Distance to the nearest of the other eigenvalues.
double gap(const Eigen::VectorXcd& values, Index k) {
  double least = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < values.size(); ++i)
    if (i != k) least = std::min(least, std::abs(values(i) - values(k)));
  return least;
}

class ModeMaker {
 public:
  explicit ModeMaker(const Linearization& linear)
      : linear_(linear),
        a_(matrix(linear.a, linear.n_state())),
        vectors_(modal_vectors(a_)),
        largest_(vectors_.values.cwiseAbs().maxCoeff()) {
    if (!vectors_.values.allFinite())
      throw NumericalError(
          "modes: the eigenvalues of the linearised equations were not found (their entries are "
          "too far apart), use other units");
  }

  // Of a pair that with the positive imaginary part.
  std::vector<Mode> modes(bool gradients) const {
    std::vector<Mode> all;
    for (Index k = 0; k < vectors_.values.size(); ++k)
      if (vectors_.values(k).imag() >= 0.0) all.push_back(mode(k, gradients));
    std::stable_sort(all.begin(), all.end(), [](const Mode& a, const Mode& b) {
      return std::abs(a.eigenvalue) < std::abs(b.eigenvalue);
    });
    return all;
  }

 private:
  Mode mode(Index k, bool gradients) const {
    Mode mode;
    mode.eigenvalue = vectors_.values(k);
    const Eigen::VectorXcd right = vectors_.right.col(k);
    const Eigen::VectorXcd left = vectors_.left.col(k);
    const Complex product = left.conjugate().dot(right);
    mode.rounding = vectors_.rounding(k) + kWorstNoise * noise_of(left, right) / std::abs(product);
    const double apart = gap(vectors_.values, k);
    mode.repeated = !(mode.rounding < kApart * apart);
    // Eigenvalues that should coincide lie as far apart as round-off has moved them.
    if (mode.repeated)
      mode.rounding = std::min(std::max(mode.rounding, 2.0 * apart),
                               kRootOfRoundOff * std::max(largest_, apart));
    mode.shape = numbers(right);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Eigen::VectorXcd scaled = mode.repeated
                                        ? Eigen::VectorXcd::Constant(left.size(), Complex(nan, nan))
                                        : Eigen::VectorXcd(left / product);
    mode.left = numbers(scaled);
    for (std::size_t p = 0; gradients && p < linear_.parameters.size(); ++p) {
      const std::size_t size = linear_.n_state() * linear_.n_state();
      const Eigen::Map<const Matrix> change(linear_.a_gradient.data() + p * size, a_.rows(),
                                            a_.cols());
      mode.gradient.push_back(mode.repeated ? Complex(nan, nan)
                                            : Complex(scaled.conjugate().dot(change * right)));
    }
    return mode;
  }

  // The largest |w^T D v| of the changes of A by round-off.
  double noise_of(const Eigen::VectorXcd& left, const Eigen::VectorXcd& right) const {
    const std::size_t size = linear_.n_state() * linear_.n_state();
    double most = 0.0;
    for (std::size_t first = 0; first < linear_.a_samples.size(); first += size) {
      const Eigen::Map<const Matrix> change(linear_.a_samples.data() + first, a_.rows(), a_.cols());
      most = std::max(most, std::abs(Complex(left.conjugate().dot(change * right))));
    }
    return most;
  }

  const Linearization& linear_;
  Eigen::MatrixXd a_;
  ModalVectors vectors_;
  double largest_;
};

std::string stability_of(const std::vector<Mode>& modes) {
  bool decay = true;
  for (const Mode& mode : modes) {
    if (mode.eigenvalue.real() > mode.rounding) return "unstable";
    decay = decay && mode.eigenvalue.real() < -mode.rounding;
  }
  return decay ? "stable" : "neutral";
}

}  // namespace

double Mode::frequency() const {
  constexpr double pi = 3.14159265358979323846;
  return std::abs(eigenvalue.imag()) / (2.0 * pi);
}

double Mode::damping_ratio() const {
  return -eigenvalue.real() / std::abs(eigenvalue);
}

std::string to_string(const Mode& mode, int digits) {
  const auto seen = [&](double part) { return std::abs(part) > mode.rounding ? part : 0.0; };
  const double real = seen(mode.eigenvalue.real());
  const double imaginary = seen(mode.eigenvalue.imag());
  if (imaginary == 0.0) return rounded_text(real, digits);
  return (real == 0.0 ? "" : rounded_text(real, digits) + " ") + "\u00b1 " +
         rounded_text(imaginary, digits) + " i";
}

Modes modes(const Model& model, const Options& options, bool gradients) {
  Modes found;
  found.linearization = linearization_of(
      model, options,
      gradients ? MatrixChanges::along_motion_and_by_parameters : MatrixChanges::along_motion);
  const Linearization& linear = found.linearization;
  if (!matrix(linear.a, linear.n_state()).allFinite())
    throw NumericalError(
        "modes: the linearised equations have numbers that are not finite (a law has no derivative "
        "at the start), start beside it");
  found.modes = ModeMaker(linear).modes(gradients);
  found.stability = is_steady(linear) ? stability_of(found.modes) : "not steady";
  return found;
}

}  // namespace gradus
