// The functions of the oracle that tests call, for both scalars: compiled once, in oracle.cpp.
// ORACLE_INSTANCES(extern template, S) declares, ORACLE_INSTANCES(template, S) defines them.
#pragma once

#define ORACLE_INSTANCES(instance, S)                                                              \
  instance Matrix3<S> rotation_from_parameters(const Vector4<S>&);                                 \
  instance Vector4<S> parameters_from_rotation(const Matrix3<S>&);                                 \
  instance Matrix3<S> rotation_about(const Vector3<S>&, const S&);                                 \
  instance Matrix3<S> frame(const Vector3<S>&, const Vector3<S>&);                                 \
  instance Vector3<S> any_normal(const Vector3<S>&);                                               \
  instance BodyMotion<S> body_motion(const Model<S>&, const State<S>&, int);                       \
  instance PointMotion<S> point_motion(const BodyMotion<S>&, const Vector3<S>&);                   \
  instance Vector3<S> point_position(const Model<S>&, const State<S>&, int, const Vector3<S>&);    \
  instance Vector3<S> point_velocity(const Model<S>&, const State<S>&, int, const Vector3<S>&);    \
  instance Vector3<S> point_acceleration(const Model<S>&, const State<S>&, const VectorX<S>&, int, \
                                         const Vector3<S>&);                                       \
  instance VectorX<S> pose_rate(const State<S>&);                                                  \
  instance void displace(State<S>&, const VectorX<S>&);                                            \
  instance VectorQuantity<S> point_quantity(const Model<S>&, const State<S>&, int,                 \
                                            const Vector3<S>&);                                    \
  instance VectorQuantity<S> direction_quantity(const Model<S>&, const State<S>&, int,             \
                                                const Vector3<S>&);                                \
  instance Quantity<S> coordinate_quantity(const Model<S>&, const State<S>&, const Joint<S>&,      \
                                           int);                                                   \
  instance std::vector<int> independent_rows(const MatrixX<S>&);                                   \
  instance MatrixX<S> selected_rows(const MatrixX<S>&, const std::vector<int>&);                   \
  instance VectorX<S> consistent_solution(const MatrixX<S>&, const VectorX<S>&);                   \
  instance Constraints<S> evaluate_constraints(const Model<S>&, const State<S>&,                   \
                                               const std::vector<Joint<S>>&);                      \
  instance Constraints<S> evaluate_constraints(const Model<S>&, const State<S>&, double);          \
  instance Constraints<S> evaluate_drivers(const Model<S>&, const State<S>&, double);              \
  instance Constraints<S> evaluate_closures(const Model<S>&, const State<S>&, double);             \
  instance void add_force(const Model<S>&, const State<S>&, int, const Vector3<S>&,                \
                          const Vector3<S>&, VectorX<S>&);                                         \
  instance void add_joint_force(const Model<S>&, const State<S>&, const JointForce<S>&, double,    \
                                VectorX<S>&);                                                      \
  instance std::vector<Quantity<S>> bushing_quantities(const Model<S>&, const State<S>&,           \
                                                       const Bushing<S>&);                         \
  instance std::vector<Quantity<S>> bushing_motions(const Model<S>&, const State<S>&,              \
                                                    const Bushing<S>&);                            \
  instance MatrixX<S> mass_matrix(const Model<S>&, const State<S>&);                               \
  instance VectorX<S> load_vector(const Model<S>&, const State<S>&, double);                       \
  instance VectorX<S> accelerations_on_rows(const Model<S>&, const State<S>&, double,              \
                                            const std::vector<int>&);                              \
  instance VectorX<S> accelerations(const Model<S>&, const State<S>&, double);                     \
  instance void project_positions(const Model<S>&, State<S>&, const std::vector<int>&, double);    \
  instance void project_velocities(const Model<S>&, State<S>&, const std::vector<int>&, double);   \
  instance JointValues<S> start_values(const Model<S>&);                                           \
  instance void change_coordinates(JointType, const VectorX<S>&, VectorX<S>&);                     \
  instance State<S> place_tree(const Model<S>&, const JointValues<S>&);                            \
  instance State<S> assemble(const Model<S>&, JointValues<S>*);                                    \
  instance Sample<S> integrate(const Model<S>&, const State<S>&, const IntegrationOptions&,        \
                               const Integrand<S>&, const Observer<S>&);                           \
  instance S kinetic_energy(const Model<S>&, const State<S>&);                                     \
  instance S potential_energy(const Model<S>&, const State<S>&);                                   \
  instance S total_energy(const Model<S>&, const State<S>&);                                       \
  instance Vector3<S> linear_momentum(const Model<S>&, const State<S>&);                           \
  instance Vector3<S> angular_momentum(const Model<S>&, const State<S>&);
